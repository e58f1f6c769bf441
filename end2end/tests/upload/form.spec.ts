// A file can be sent without JavaScript, by the form.
import { expectFits } from '../../support/page/screens.ts';
import { readFileSync } from 'node:fs';
import { expect, test } from '../../support/server/vidence.ts';
import type { Browser, Page } from '@playwright/test';

/** A seekable video, which the server returns unchanged. */
const VIDEO = readFileSync('../crates/test-support/fixtures/whole.webm');

test.use({ javaScriptEnabled: false });

test('a file can be sent without JavaScript', { tag: '@tls' }, async ({ page, vidence, browser }) => {
  const created = await vidence.createRequest('Show the dent.');
  await page.goto(created.submission_url);
  await expect(page.getByText('Show the dent.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Open camera' })).toBeHidden();
  // Looking by role or by text passes over what stands in a noscript.
  const form = page.locator('noscript form');
  await expect(form).toBeVisible();
  await expectFits(await openWithScript(page, browser), 'form');

  await form.locator('input').setInputFiles({ name: 'clip.webm', mimeType: 'video/webm', buffer: VIDEO });
  await form.locator('button').click();
  await expect(page.getByRole('heading', { name: 'The video was received' })).toBeVisible();
  expect((await vidence.download(created)).equals(VIDEO)).toBe(true);
});

test('a file without a video track is refused with an explanation', async ({ page, vidence, browser }) => {
  const created = await vidence.createRequest('Show the dent.');
  await page.goto(created.submission_url);
  const form = page.locator('noscript form');
  await form.locator('input').setInputFiles('../crates/test-support/fixtures/sound.webm');
  await form.locator('button').click();
  await expect(page.getByRole('heading', { name: 'This video can’t be played' })).toBeVisible();
  await expectFits(await openWithScript(page, browser), 'form-no-picture');
  expect((await vidence.fetchStatus(created)).status).toBe('awaiting_submission');
});

/** Opens the same page with JavaScript, which axe needs. */
async function openWithScript(page: Page, browser: Browser): Promise<Page> {
  const body = (await page.content()).replace(/<script[^]*?<\/script>/g, '').replace(/(<\/?)noscript/g, '$1div');
  const scripted = await browser.newPage({ javaScriptEnabled: true });
  await scripted.route(page.url(), (route) => route.fulfill({ contentType: 'text/html; charset=utf-8', body }));
  await scripted.goto(page.url());
  return scripted;
}
