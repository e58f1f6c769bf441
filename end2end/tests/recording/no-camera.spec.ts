// A page without a camera says so, and can send a file.
import { readFileSync } from 'node:fs';
import { expectFits } from '../../support/page/screens.ts';
import { expect, test } from '../../support/server/vidence.ts';
import { Witness } from '../../support/page/witness.ts';

/** A seekable video, which the server returns unchanged. */
const CLIP = readFileSync('../crates/test-support/fixtures/whole.webm');

test('without a camera the page says so, and a file can be sent', async ({ page, vidence }) => {
  const created = await vidence.createRequest();
  const witness = new Witness(page);
  await witness.open(created.submission_url);
  await witness.cameraButton.click();
  await witness.waitForState('blocked-no-camera');
  await expect(page.getByRole('heading', { name: 'No camera found' })).toBeVisible();
  await expect(page.getByText('Connect one and try again, or open this link on your phone.')).toBeVisible();
  await expect(witness.retryButton).toBeEnabled();
  await expectFits(page, 'no-camera');
  await witness.fileField.setInputFiles({ name: 'clip.webm', mimeType: 'video/webm', buffer: CLIP });
  await witness.waitForState('review');
  await witness.submit();
  expect((await vidence.download(created)).equals(CLIP)).toBe(true);
});
