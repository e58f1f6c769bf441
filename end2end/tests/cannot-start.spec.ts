import { readFileSync } from 'node:fs';
import { expect, test } from './vidence.ts';
import { fits } from './screens.ts';

/** It can be sought already, so it comes back as it is. */
const CLIP = readFileSync('../server/tests/films/whole.webm');

test('a person whose browser can’t start the recorder sends a file', async ({ page, vidence, complaints }) => {
  await page.route('**/*.wasm', (route) => route.abort());
  const created = await vidence.create();
  await page.goto(created.submission_url);
  await expect(page.getByText('The recorder could not start in this browser.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Turn on the camera' })).toBeHidden();
  await fits(page, 'cannot-start');
  expect(complaints.splice(0)).toEqual([expect.stringContaining('Failed to fetch')]);

  await page.getByLabel('Your video').setInputFiles({ name: 'clip.webm', mimeType: 'video/webm', buffer: CLIP });
  await page.locator('#cannot-start').getByRole('button', { name: 'Send this video' }).click();
  await expect(page.getByRole('heading', { name: 'The video was received' })).toBeVisible();
  expect((await vidence.download(created)).equals(CLIP)).toBe(true);
});
