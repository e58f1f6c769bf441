// The video contains what was recorded, without pauses and the countdown, and ends at the size limit.
import { expect, test } from '../../support/server/vidence.ts';
import { expectFits } from '../../support/page/screens.ts';
import { RecorderSpy } from '../../support/page/recorder_spy.ts';
import { Witness } from '../../support/page/witness.ts';

test('a pause is not part of the video', async ({ page, vidence }) => {
  const [created, witness] = await Witness.openAtCamera(page, vidence);
  await witness.recordFor(2);
  await witness.pauseButton.click();
  await witness.waitForState('paused');
  const paused = Date.now();
  const pauses = () => (Date.now() - paused) / 1000;
  await expectFits(page, 'paused');
  // By now the page shows all that a busy browser recorded before it paused.
  const shown = await witness.seconds('recorded');
  const seen = pauses();
  // Long enough to be noticed in the duration.
  await expect.poll(pauses).toBeGreaterThan(seen + 3);
  expect(await witness.seconds('recorded')).toBe(shown);
  await witness.resumeButton.click();
  const pause = pauses();
  await witness.waitForSeconds(shown + 2);
  await witness.stopRecording();
  await witness.submit();

  const [{ startedAt, stoppedAt }] = witness.spy.recordings;
  const around = (stoppedAt! - startedAt) / 1000;
  const { duration_ms } = (await vidence.fetchMetadata(created)).properties;
  expect(Math.abs(duration_ms / 1000 - (around - pause))).toBeLessThan(2);
});

test('a paused recording can be stopped', async ({ page, vidence }) => {
  const [created, witness] = await Witness.openAtCamera(page, vidence);
  await witness.recordFor(1);
  await witness.pauseButton.click();
  await witness.waitForState('paused');
  await witness.stopRecording();
  await witness.waitForDuration(0.5);
  await witness.submit();
  expect((await vidence.fetchStatus(created)).status).toBe('submitted');
});

test('the countdown is not part of the video', async ({ page, vidence }) => {
  const [created, witness] = await Witness.openAtCamera(page, vidence);
  const countdown = await witness.main.evaluateHandle((main: HTMLElement) => {
    const times: number[] = [];
    const look = () => main.dataset.state === 'countdown' && times.push(Date.now());
    new MutationObserver(look).observe(main, { attributeFilter: ['data-state'] });
    return times;
  });
  await witness.recordButton.click();
  await witness.waitForState('recording');
  await witness.waitForSeconds(1);
  await witness.stopRecording();
  await witness.submit();
  const { properties } = await vidence.fetchMetadata(created);
  const [{ startedAt, stoppedAt }] = witness.spy.recordings;
  // The countdown takes three seconds; timers may be a little early.
  const [countdownAt] = await countdown.jsonValue();
  expect(startedAt - countdownAt).toBeGreaterThan(2900);
  expect(properties.duration_ms).toBeLessThan(stoppedAt! - startedAt + 500);
});

test.describe('where a recording may be short', () => {
  // 12 seconds at the highest bit rate.
  test.use({ flags: ['--max-video-bytes', '4000000'] });

  test('the page warns in the last minute before the limit, and keeps the recording at the limit', async ({
    page,
    vidence,
  }) => {
    test.setTimeout(240_000);
    await page.addInitScript(() => {
      (window as any).felt = 0;
      navigator.vibrate = () => Boolean(++(window as any).felt);
    });
    const [created, witness] = await Witness.openAtCamera(page, vidence);
    await witness.recordFor(1);
    await expect(witness.notice('last-minute').first()).toBeVisible({ timeout: 60_000 });
    // The start and the last minute are both felt.
    expect(await page.evaluate(() => (window as any).felt)).toBe(2);
    const left = await witness.seconds('left');
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(60);
    // It stops by itself.
    await expect(witness.main).toHaveAttribute('data-state', 'review', { timeout: 90_000 });
    await expect(witness.notice('interrupted').first()).toBeVisible();
    await witness.waitForDuration(5);
    await expectFits(page, 'review-longest');
    await witness.submit();
    const recorded = witness.spy.bytes();
    expect(recorded.length).toBeLessThanOrEqual(4_000_000);
    RecorderSpy.expectSealed(await vidence.download(created), recorded);
  });
});
