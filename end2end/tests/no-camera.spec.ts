import { readFileSync } from 'node:fs';
import { fits } from './screens.ts';
import { expect, test } from './vidence.ts';
import { Witness } from './witness.ts';

/** It can be sought already, so it comes back as it is. */
const CLIP = readFileSync('../crates/test-support/fixtures/whole.webm');

test('a person without a camera is told so, and sends a file', async ({ page, vidence }) => {
  const created = await vidence.create();
  const witness = new Witness(page);
  await witness.open(created.submission_url);
  await witness.camera.click();
  await witness.is('blocked-no-camera');
  await expect(page.getByRole('heading', { name: 'No camera found' })).toBeVisible();
  await expect(page.getByText('Connect one and try again, or open this link on your phone.')).toBeVisible();
  await expect(witness.retry).toBeEnabled();
  await fits(page, 'no-camera');
  await witness.file.setInputFiles({ name: 'clip.webm', mimeType: 'video/webm', buffer: CLIP });
  await witness.is('review');
  await witness.sends();
  expect((await vidence.download(created)).equals(CLIP)).toBe(true);
});
