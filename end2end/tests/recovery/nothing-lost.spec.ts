// A recording stays with the person, whatever other people, devices and networks do.
// A little more than 300 lines: each test is a way to lose footage.
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { handOutNothing } from '../../support/device/camera_doubles.ts';
import {
  blockPage,
  grantOnly,
  takeMicrophone,
  trackDevices,
  unplugCamera,
  unplugMicrophone,
} from '../../support/device/devices.ts';
import { submitVideo } from '../../support/page/requester.ts';
import { expectFits } from '../../support/page/screens.ts';
import { RecorderSpy } from '../../support/page/recorder_spy.ts';
import { exposeDatabase } from '../../support/device/storage_faults.ts';
import { type Created, type Vidence, expect, test } from '../../support/server/vidence.ts';
import { Witness } from '../../support/page/witness.ts';

test('a person who wasn’t first can still watch and save the recording', async ({ page, vidence }) => {
  const created = await vidence.createRequest();
  const second = new Witness(page);
  await second.open(created.submission_url);
  await second.turnOnCamera();
  await second.recordFor(2);
  await second.stopRecording();
  await submitVideo(vidence, created, readFileSync('../crates/test-support/fixtures/whole.webm'));

  // The page polls every ten seconds.
  await expect(second.main).toHaveAttribute('data-state', 'ended-submitted', { timeout: 25_000 });
  await expect(page.getByRole('heading', { name: 'A video was already sent' })).toBeInViewport();
  await expect(second.notice('has-clip').first()).toBeVisible();
  await second.reviewVideo.evaluate((video: HTMLVideoElement) => video.play());
  await second.waitForDuration(1);
  await expectFits(page, 'ended-submitted-kept');
  expect(await saveRecording(second)).toEqual(second.spy.bytes());
  // The page has the only copy, because a closed link stores nothing on the device: leaving asks for confirmation.
  await expect.poll(() => second.countStoredRecords()).toBe(0);
  const asked = page.waitForEvent('dialog');
  await page.close({ runBeforeUnload: true });
  await (await asked).accept();
});

test('deleting the request during a recording leaves the clip with the person', async ({ page, vidence }) => {
  const [created, witness] = await Witness.openAtCamera(page, vidence);
  await witness.recordFor(3);
  await vidence.fetchAsCreator(created, `/v1/requests/${created.id}`, { method: 'DELETE' });
  await witness.waitForState('ended-withdrawn');
  const clip = await saveRecording(witness);
  await witness.spy.waitUntilStopped();
  expect(clip).toEqual(witness.spy.bytes());
});

test('a pending submission is resumed after a reload', async ({ page, vidence }) => {
  const [created, witness] = await submitWithoutUpload(page, vidence);
  page.on('dialog', (dialog) => dialog.accept());
  await page.reload();
  await witness.waitForState('submitting');
  await page.unrouteAll();
  await witness.waitForState('submitted');
  const recorded = witness.spy.bytes();
  RecorderSpy.expectSealed(await vidence.download(created), recorded);
});

test('a pending submission can be cancelled, and is not resumed then', async ({ page, vidence }) => {
  const [created, witness] = await submitWithoutUpload(page, vidence);
  await expectFits(page, 'submitting-waiting');
  expect(await saveRecording(witness)).toEqual(witness.spy.bytes());
  await witness.action('cancel-submit').click();
  await witness.waitForState('review');
  page.on('dialog', (dialog) => dialog.accept());
  await page.unrouteAll();
  await page.reload();
  await witness.waitForState('review');
  await expect(witness.notice('complete').first()).toBeVisible();
  expect((await vidence.fetchStatus(created)).status).toBe('awaiting_submission');
});

test('cancelling a submission too late and discarding the recording shows that it was sent', async ({
  page,
  vidence,
}) => {
  const [created, witness] = await Witness.openAtCamera(page, vidence);
  // The server gets the submission, and the page doesn't get the answer.
  await page.route('**/submission', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await witness.recordFor(1);
  await witness.stopRecording();
  await expect(witness.notice('complete').first()).toBeVisible();
  // Until it is discarded, the page doesn't learn by itself that it was sent.
  let isDiscarded = false;
  await page.route('**/state*', (route) => (isDiscarded ? route.continue() : route.abort()));
  await page.route('**/takes/*', (route) => {
    isDiscarded ||= route.request().method() === 'DELETE';
    return route.continue();
  });
  await witness.submitButton.click();
  await expect.poll(async () => (await vidence.fetchStatus(created)).status).toBe('submitted');
  await witness.action('cancel-submit').click();
  await witness.waitForState('review');
  await witness.recordAgainButton.click();
  await witness.confirmRecordAgainButton.click();
  await witness.waitForState('submitted');
  // The camera stays off.
  const live = page.locator('[data-element=live]');
  expect(await live.evaluate((video: HTMLVideoElement) => video.srcObject === null)).toBe(true);
  const recorded = witness.spy.bytes();
  RecorderSpy.expectSealed(await vidence.download(created), recorded);
});

test('a recording made without a network shows its real length and size', async ({ page, vidence }) => {
  await page.route('**/takes', (route) => route.abort());
  const [, witness] = await Witness.openAtCamera(page, vidence);
  await witness.recordFor(4);
  await witness.stopRecording();
  expect(await witness.seconds('recorded')).toBeGreaterThanOrEqual(3);
  // The page rounds up.
  const tenths = Math.ceil(witness.spy.bytes().length / 1e5);
  await expect(witness.figure('size')).toHaveText(`${(tenths / 10).toFixed(1)} MB`);
});

test('a take discarded without a network is deleted on the server once there is one', async ({ page, vidence }) => {
  const [created, witness] = await Witness.openAtCamera(page, vidence);
  await witness.recordFor(2);
  await witness.stopRecording();
  await expect(witness.notice('complete').first()).toBeVisible();
  await page.route('**/takes/*', (route) => route.abort());
  await witness.recordAgain();
  await page.unrouteAll();
  await page.reload();
  await expect.poll(async () => (await vidence.fetchState(created)).takes).toEqual([]);
});

test('a failing microphone changes neither camera nor resolution', async ({ page, vidence }) => {
  const readGranted = await grantOnly(page, (constraints) => !constraints.audio);
  const [, witness] = await Witness.openAtCamera(page, vidence);
  await expect(witness.notice('no-audio').first()).toBeVisible();
  const { video } = (await readGranted()).at(-1) as { video: MediaTrackConstraints };
  expect(video).toMatchObject({ facingMode: { ideal: 'environment' }, width: { ideal: 1280 }, height: { ideal: 720 } });
});

test('sound is recorded without noise suppression and echo cancellation', async ({ page, vidence }) => {
  const readGranted = await grantOnly(page, () => true);
  const [, witness] = await Witness.openAtCamera(page, vidence);
  const untouched = { noiseSuppression: false, echoCancellation: false };
  expect((await readGranted()).at(-1)).toMatchObject({ audio: untouched });
  const settings = await witness.liveVideo.evaluate((video: HTMLVideoElement) => {
    return (video.srcObject as MediaStream).getAudioTracks()[0]?.getSettings();
  });
  expect(settings).toMatchObject(untouched);
});

test('losing the microphone doesn’t end the recording, and the page says so', async ({ page, vidence }) => {
  await trackDevices(page);
  const [created, witness] = await Witness.openAtCamera(page, vidence);
  await witness.recordFor(1);
  await unplugMicrophone(page);
  await expect(witness.notice('audio-lost').first()).toBeVisible();
  await witness.waitForSeconds((await witness.seconds('recorded')) + 3);
  await expectFits(page, 'recording-sound-lost');
  await witness.stopRecording();
  await expect(witness.notice('interrupted')).toHaveCount(0);
  await witness.submit();
  expect((await vidence.fetchMetadata(created)).properties.duration_ms).toBeGreaterThan(3000);
});

test('a microphone that a call takes is missed and found again, with a double of its track', async ({ page, vidence }) => {
  const [, witness] = await Witness.openAtCamera(page, vidence);
  await witness.recordFor(1);
  const notice = witness.notice('audio-lost').first();
  await expect(notice).toBeHidden();
  await takeMicrophone(page);
  await expect(notice).toBeVisible();
  await takeMicrophone(page, false);
  await expect(notice).toBeHidden();
  await witness.stopRecording();
});

test('a recorder with nothing but empty pieces ends the recording, with a double of it', async ({ page, vidence }) => {
  await page.clock.install();
  const [, witness] = await Witness.openAtCamera(page, vidence);
  await witness.recordFor(2);
  // What the page shows is more than what was handed out, and on a busy machine that holds less than its time.
  await expect.poll(() => witness.spy.secondsWithin(Infinity)).toBeGreaterThan(4);
  await handOutNothing(page);
  // Longer than it may be late; then it is asked for a piece, and has a moment for that.
  await page.clock.fastForward(16_000);
  await page.clock.fastForward(3000);
  await witness.waitForState('review');
  await expect(witness.notice('interrupted').first()).toBeVisible();
  await witness.waitForDuration(1);
});

test('ending the screen share stops the recording, and doesn’t count as an interruption', async ({ page, vidence }) => {
  await trackDevices(page);
  const created = await vidence.createRequest();
  const witness = new Witness(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await witness.open(created.submission_url);
  await witness.otherWaysButton.click();
  await witness.action('share-screen').click();
  await witness.waitForState('preview');
  await witness.recordFor(2);
  await unplugCamera(page);
  await witness.waitForState('review');
  await expect(witness.notice('interrupted')).toHaveCount(0);
});

test('a dialog that blocks the page for long doesn’t end the recording', async ({ page, vidence }) => {
  const [, witness] = await Witness.openAtCamera(page, vidence);
  await witness.recordFor(1);
  await blockPage(page, 18_000);
  await witness.waitForSeconds((await witness.seconds('recorded')) + 3);
  await witness.waitForState('recording');
  await witness.stopRecording();
  await expect(witness.notice('interrupted')).toHaveCount(0);
});

test('IndexedDB closed by the browser is reopened, and has the whole recording', async ({ page, vidence }) => {
  const close = await exposeDatabase(page);
  const [created, witness] = await Witness.openAtCamera(page, vidence);
  await witness.recordFor(2);
  await close();
  await witness.waitForSeconds((await witness.seconds('recorded')) + 2);
  await witness.stopRecording();
  await witness.waitUntilStored();
  await expect(witness.notice('memory-only')).toHaveCount(0);
  page.on('dialog', (dialog) => dialog.accept());
  await page.reload();
  await witness.waitForState('review');
  await expect(witness.notice('interrupted')).toHaveCount(0);
  await witness.waitForDuration(3);
  await witness.submit();
  const recorded = witness.spy.bytes();
  RecorderSpy.expectSealed(await vidence.download(created), recorded);
});

test('a recording is shown after a reload even if the server never tells its state', async ({ page, vidence }) => {
  const [, witness] = await Witness.openAtCamera(page, vidence);
  await witness.recordFor(2);
  await witness.stopRecording();
  await expect(witness.notice('complete').first()).toBeVisible();
  await page.route('**/state?*', () => {});
  await page.reload();
  // In less than the thirty seconds for which a request waits for its answer.
  await witness.waitForState('review');
  await witness.waitForDuration(1);
});

for (const [when, seconds, counts] of [
  ['a minute', 60, true],
  ['an hour', 3600, false],
] as const) {
  test(`a connection that was slow ${when} ago ${counts ? 'limits' : 'doesn’t limit'} the bit rate`, async ({
    page,
    vidence,
  }) => {
    await page.addInitScript((seconds) => {
      localStorage.setItem('vidence.line', `300000 ${Math.floor(Date.now() / 1000) - seconds}`);
      const start = MediaRecorder.prototype.start;
      MediaRecorder.prototype.start = function (...slice) {
        (window as any).rate = this.videoBitsPerSecond;
        return start.apply(this, slice);
      };
    }, seconds);
    const [, witness] = await Witness.openAtCamera(page, vidence);
    await witness.startRecording();
    const rate = await page.evaluate(() => (window as any).rate);
    // Without the note the browser itself may estimate less than the best rate.
    if (counts) expect(rate).toBeLessThanOrEqual(SLOW_CONNECTION_RATE);
    else expect(rate).toBeGreaterThan(SLOW_CONNECTION_RATE);
  });
}

test('the page warns shortly before the link expires while something is unsent', async ({
  page,
  database,
  videnceOnPostgres: vidence,
}) => {
  const created = await vidence.createRequest();
  database.expire(created, 240);
  const witness = new Witness(page);
  await witness.open(created.submission_url);
  await witness.turnOnCamera();
  await witness.recordFor(1);
  await witness.stopRecording();
  await expect(witness.notice('closes-soon').first()).toBeVisible();
  await expectFits(page, 'review-closes-soon');
});

test('the page warns of the end of the link after the device has slept until shortly before it', async ({
  page,
  vidence,
}) => {
  await page.clock.install();
  const [created, witness] = await Witness.openAtCamera(page, vidence);
  await witness.recordFor(1);
  await witness.stopRecording();
  const notice = witness.notice('closes-soon').first();
  await expect(notice).toBeHidden();
  // The device’s clock goes on while it sleeps, its stopwatch and timers don’t.
  await page.clock.setSystemTime(Date.parse(created.expires_at) - 240_000);
  await expect(notice).toBeVisible({ timeout: 30_000 });
});

/** The bit rate of the video on a connection of 300 kbit/s. */
const SLOW_CONNECTION_RATE = 500_000;

/** Presses Send while no part of the recording can be uploaded. */
async function submitWithoutUpload(page: Page, vidence: Vidence): Promise<[Created, Witness]> {
  await page.route('**/takes/*', (route) => route.abort());
  const [created, witness] = await Witness.openAtCamera(page, vidence);
  await witness.recordFor(2);
  await witness.stopRecording();
  await witness.waitUntilStored();
  await witness.submitButton.click();
  await witness.waitForState('submitting');
  return [created, witness];
}

/** Saves the recording as a file, and returns its bytes. */
async function saveRecording(witness: Witness): Promise<Buffer> {
  const saving = witness.page.waitForEvent('download');
  await witness.action('save').click();
  return readFileSync(await (await saving).path());
}
