import { readFileSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';
import { expect, test } from './vidence.ts';
import { fits } from './screens.ts';

/** It can be sought already, so it comes back as it is. */
const CLIP = readFileSync('../crates/test-support/fixtures/whole.webm');

test('a person whose browser can’t start the recorder sends a file', async ({ page, vidence, complaints }) => {
  await page.route('**/*.wasm', (route) => route.abort());
  const created = await vidence.create();
  await page.goto(created.submission_url);
  await expect(notice(page)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Open camera' })).toBeHidden();
  await fits(page, 'cannot-start');
  expect(complaints.splice(0)).toEqual([expect.stringContaining('Failed to fetch')]);

  await sends(page);
  expect((await vidence.download(created)).equals(CLIP)).toBe(true);
});

test('a person to whom not even the script comes sends a file', async ({ page, vidence }) => {
  await page.route('**/boot*.js', (route) => route.abort());
  const created = await vidence.create();
  await page.goto(created.submission_url);
  await expect(notice(page)).toBeHidden();
  await expect(notice(page)).toBeVisible({ timeout: 15_000 });
  await fits(page, 'no-script-comes');
  await sends(page);
  expect((await vidence.download(created)).equals(CLIP)).toBe(true);
});

test('a person whose line carries nothing any more sends a file', async ({ page, vidence }) => {
  test.slow();
  await page.route('**/*.wasm', () => {});
  const created = await vidence.create();
  await page.goto(created.submission_url);
  await expect(notice(page)).toBeVisible({ timeout: 30_000 });
  await sends(page);
  expect((await vidence.download(created)).equals(CLIP)).toBe(true);
});

test('a script that comes late starts the recorder all the same', async ({ page, vidence }) => {
  let comes = () => {};
  const waiting = new Promise<void>((done) => (comes = done));
  await page.route('**/boot*.js', (route) => waiting.then(() => route.continue()));
  const created = await vidence.create();
  await page.goto(created.submission_url, { waitUntil: 'commit' });
  await expect(notice(page)).toBeVisible({ timeout: 15_000 });
  comes();
  await expect(notice(page)).toBeHidden();
  await expect(page.getByRole('button', { name: 'Open camera' })).toBeEnabled();
});

function notice(page: Page): Locator {
  return page.getByText('The recorder could not start in this browser.');
}

async function sends(page: Page): Promise<void> {
  await page.getByLabel('Your video').setInputFiles({ name: 'clip.webm', mimeType: 'video/webm', buffer: CLIP });
  await page.locator('#cannot-start').getByRole('button', { name: 'Send this video' }).click();
  await expect(page.getByRole('heading', { name: 'The video was received' })).toBeVisible();
}
