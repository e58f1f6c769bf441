// The console: the link is passed on by e-mail, by text message and by the system's dialog, and the token never is.
import type { Page } from '@playwright/test';
import { Requester } from '../../support/page/requester.ts';
import { expect, test } from '../../support/server/vidence.ts';

const SHARE = { name: 'Share it' };

/** Stands in for the system's dialog, which Chromium has on phones alone. Its second use is closed by the person. */
function shareByDouble(): void {
  const shared: ShareData[] = [];
  const share = (data: ShareData): Promise<void> => {
    shared.push(data);
    return shared.length > 1 ? Promise.reject(new DOMException('closed', 'AbortError')) : Promise.resolve();
  };
  Object.assign(window, { shared });
  Object.defineProperty(Navigator.prototype, 'share', { value: share, configurable: true });
}

const shared = (page: Page): Promise<ShareData[]> =>
  page.evaluate(() => (window as unknown as { shared: ShareData[] }).shared);

test('the link alone is shared, repeatedly, with a double of the system’s dialog', async ({
  page,
  vidence,
}) => {
  const failures: Error[] = [];
  page.on('pageerror', (error) => failures.push(error));
  await page.addInitScript(shareByDouble);
  const created = await new Requester(page).createRequest(vidence.url('/'));
  const button = page.getByRole('button', SHARE);
  for (const count of [1, 2, 3]) {
    await button.click();
    await expect.poll(() => shared(page)).toHaveLength(count);
  }
  expect(await shared(page)).toEqual(Array(3).fill({ url: created.submission_url }));
  await expect(button).toBeEnabled();
  expect(failures).toEqual([]);
});

test('without such a dialog the link can be sent by e-mail and by text message', async ({ page, vidence }) => {
  const created = await new Requester(page).createRequest(vidence.url('/'));
  await expect(page.getByRole('button', SHARE)).toBeHidden();
  for (const [name, scheme] of [
    ['E-mail it', 'mailto:'],
    ['Text it', 'sms:'],
  ]) {
    const target = (await page.getByRole('link', { name }).getAttribute('href')) ?? '';
    expect(target.startsWith(scheme)).toBe(true);
    expect(target.endsWith(`body=${created.submission_url}`)).toBe(true);
    expect(target).not.toContain(created.access_token);
  }
});
