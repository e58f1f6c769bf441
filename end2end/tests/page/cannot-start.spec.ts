// A person can send a file even if the recorder's scripts fail to load or never finish loading.
import { readFileSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../../support/server/vidence.ts';
import { expectFits } from '../../support/page/screens.ts';

/** A seekable video, which the server returns unchanged. */
const CLIP = readFileSync('../crates/test-support/fixtures/whole.webm');

test('a file can be sent when the recorder’s WASM fails to load', async ({ page, vidence, consoleErrors }) => {
  await page.route('**/*.wasm', (route) => route.abort());
  const created = await vidence.createRequest();
  await page.goto(created.submission_url);
  await expect(cannotStartNotice(page)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Open camera' })).toBeHidden();
  await expectFits(page, 'cannot-start');
  expect(consoleErrors.splice(0)).toEqual([expect.stringContaining('Failed to fetch')]);

  await sendFile(page);
  expect((await vidence.download(created)).equals(CLIP)).toBe(true);
});

test('a file can be sent when the boot script fails to load', async ({ page, vidence }) => {
  await page.route('**/boot*.js', (route) => route.abort());
  const created = await vidence.createRequest();
  await page.goto(created.submission_url);
  await expect(cannotStartNotice(page)).toBeHidden();
  await endDelay(page);
  await expect(cannotStartNotice(page)).toBeVisible();
  // It would lie over the form, and do nothing.
  await expect(page.getByRole('button', { name: 'Open camera' })).toBeHidden();
  await expectFits(page, 'no-script-comes');
  await sendFile(page);
  expect((await vidence.download(created)).equals(CLIP)).toBe(true);
});

test('a file can be sent when the recorder’s WASM never finishes loading', async ({ page, vidence }) => {
  const asked = page.waitForRequest('**/*.wasm');
  await page.route('**/*.wasm', () => {});
  await page.clock.install();
  const created = await vidence.createRequest();
  await page.goto(created.submission_url);
  await asked;
  await page.clock.fastForward('00:55');
  await expect(cannotStartNotice(page)).toBeHidden();
  await page.clock.fastForward('00:10');
  await expect(cannotStartNotice(page)).toBeVisible();
  await sendFile(page);
  expect((await vidence.download(created)).equals(CLIP)).toBe(true);
});

test('a boot script that loads late still starts the recorder', async ({ page, vidence }) => {
  let comes = () => {};
  const waiting = new Promise<void>((done) => (comes = done));
  await page.route('**/boot*.js', (route) => waiting.then(() => route.continue()));
  const created = await vidence.createRequest();
  await page.goto(created.submission_url, { waitUntil: 'commit' });
  await expect(cannotStartNotice(page)).toBeHidden();
  await endDelay(page);
  await expect(cannotStartNotice(page)).toBeVisible();
  comes();
  await expect(cannotStartNotice(page)).toBeHidden();
  await expect(page.getByRole('button', { name: 'Open camera' })).toBeEnabled();
});

function cannotStartNotice(page: Page): Locator {
  return page.getByText('The recorder could not start in this browser.');
}

/** Ends the 20 seconds in which the scripts may still come. */
async function endDelay(page: Page): Promise<void> {
  // A page without its notice has no delay yet.
  await expect(page.locator('#cannot-start')).toBeAttached();
  const delays = await page.evaluate(() => {
    const waiting = document.getAnimations().filter((it) => (it as CSSAnimation).animationName === 'cannot-start');
    return waiting.map((it) => {
      it.finish();
      return it.effect!.getTiming().delay;
    });
  });
  expect(new Set(delays)).toEqual(new Set([20_000]));
}

async function sendFile(page: Page): Promise<void> {
  await page.getByLabel('Your video').setInputFiles({ name: 'clip.webm', mimeType: 'video/webm', buffer: CLIP });
  await page.locator('#cannot-start').getByRole('button', { name: 'Send this video' }).click();
  await expect(page.getByRole('heading', { name: 'The video was received' })).toBeVisible();
}
