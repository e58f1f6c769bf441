// A recording on a device whose storage is full.
import { RecorderSpy } from '../../support/page/recorder_spy.ts';
import { expectFits } from '../../support/page/screens.ts';
import { limitStoredPieces } from '../../support/device/storage_faults.ts';
import { expect, test } from '../../support/server/vidence.ts';
import { Witness } from '../../support/page/witness.ts';

test('a full device drops only committed data, and uploads the rest after a reload', async ({ page, vidence }) => {
  await limitStoredPieces(page, 8);
  const [created, witness] = await Witness.openAtCamera(page, vidence);
  await witness.startRecording();
  const blobs = () => witness.spy.recordings[0]?.blobs.length;
  await expect.poll(blobs, { timeout: 30_000 }).toBeGreaterThan(9);
  // The last piece is dropped a moment after it was refused.
  await expect.poll(() => witness.countStoredRecords()).toBeLessThan(9);
  // What follows is on this device only, and the device has room for it.
  await page.route('**/takes/*', (route) => route.abort());
  await witness.stopRecording();
  await expect(witness.notice('retrying').first()).toBeVisible();
  await witness.waitUntilStored();
  await expect(witness.notice('memory-only')).toHaveCount(0);
  page.on('dialog', (dialog) => dialog.accept());
  await page.reload();

  await witness.waitForState('review');
  await expect(witness.notice('no-preview').first()).toBeVisible();
  await expect(witness.reviewVideo).toHaveCount(0);
  await expect(witness.notice('complete')).toHaveCount(0);
  await expectFits(page, 'review-no-preview');
  await page.unrouteAll();
  // The next attempt may be half a minute away.
  await expect(witness.notice('complete').first()).toBeVisible({ timeout: 40_000 });
  await witness.submit();
  const recorded = witness.spy.bytes();
  RecorderSpy.expectSealed(await vidence.download(created), recorded);
});

test('a device too full to note what it drops drops nothing', async ({ page, vidence }) => {
  await limitStoredPieces(page, 8, true);
  const [created, witness] = await Witness.openAtCamera(page, vidence);
  await witness.startRecording();
  const blobs = () => witness.spy.recordings[0]?.blobs.length;
  await expect.poll(blobs, { timeout: 30_000 }).toBeGreaterThan(9);
  await expect(witness.notice('memory-only').first()).toBeVisible();
  await witness.stopRecording();
  await expect(witness.notice('complete').first()).toBeVisible();
  await page.reload();
  await witness.waitForState('review');
  await expect(witness.notice('interrupted').first()).toBeVisible();
  // Only its beginning is stored, and the rest is sent as well.
  await expect(witness.notice('no-preview').first()).toBeVisible();
  await expect(witness.reviewVideo).toHaveCount(0);
  await expect(witness.action('save')).toHaveCount(0);
  await witness.submit();
  const recorded = witness.spy.bytes();
  RecorderSpy.expectSealed(await vidence.download(created), recorded);
});
