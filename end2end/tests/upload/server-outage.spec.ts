// An outage of the server loses nothing of a recording, which is submitted once the server is back.
import { expect, test } from '../../support/server/vidence.ts';
import { expectFits } from '../../support/page/screens.ts';
import { RecorderSpy } from '../../support/page/recorder_spy.ts';
import { RETRY_TIMEOUT } from '../../support/page/tab_witness.ts';
import { Witness } from '../../support/page/witness.ts';

test('killing the server during a recording loses none of it', async ({ page, vidence }) => {
  const [created, witness] = await Witness.openAtCamera(page, vidence);
  await witness.recordFor(2);
  await expect.poll(() => vidence.committedBytes(created)).toBeGreaterThan(0);

  const promised = await vidence.committedBytes(created);
  await vidence.stop('SIGKILL');
  await expect(witness.notice('retrying').first()).toBeVisible();
  await vidence.start();
  expect(await vidence.committedBytes(created)).toBeGreaterThanOrEqual(promised);

  // The upload resumes by itself.
  await expect.poll(() => vidence.committedBytes(created), RETRY_TIMEOUT).toBeGreaterThan(promised);
  await witness.stopRecording();
  await witness.submit();
  const recorded = witness.spy.bytes();
  RecorderSpy.expectSealed(await vidence.download(created), recorded);
});

test('a recording made while the server is down is submitted once it is back', async ({ page, vidence }) => {
  const [created, witness] = await Witness.openAtCamera(page, vidence);
  await vidence.stop();
  await witness.recordFor(2);
  await witness.stopRecording();
  await witness.submitButton.click();
  await witness.waitForState('submitting');
  await expect(witness.notice('retrying').first()).toBeVisible();
  await expectFits(page, 'submitting-waiting');

  await vidence.start();
  await expect(witness.main).toHaveAttribute('data-state', 'submitted', { timeout: 40_000 });
  const recorded = witness.spy.bytes();
  RecorderSpy.expectSealed(await vidence.download(created), recorded);
});
