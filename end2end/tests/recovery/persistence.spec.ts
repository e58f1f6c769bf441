// A recording survives crashes and reloads of tab and browser, except for at most its last two seconds.
import { Chromium } from '../../support/browser/chromium.ts';
import { deliverOneByte, shiftClock, shiftServerTime } from '../../support/device/devices.ts';
import { MEGABIT } from '../../support/network/network_proxy.ts';
import { expectFits } from '../../support/page/screens.ts';
import { RecorderSpy } from '../../support/page/recorder_spy.ts';
import { failToReadPieces, hasStrayPiece, losePiece, silenceDatabase, storeStrayPiece } from '../../support/device/storage_faults.ts';
import { type Created, type Vidence, expect, test } from '../../support/server/vidence.ts';
import { Witness } from '../../support/page/witness.ts';

test('a crash of the tab loses at most two seconds, and another tab can submit the rest', async ({
  page,
  context,
  vidence,
}) => {
  const [created, before] = await Witness.openAtCamera(page, vidence);
  await before.recordFor(4);
  const crashed = page.waitForEvent('crash');
  const devtools = await context.newCDPSession(page);
  // The command is never answered.
  void devtools.send('Page.crash').catch(() => {});
  await crashed;

  const witness = new Witness(await context.newPage());
  await witness.open(created.submission_url);
  await witness.waitForState('review');
  await expect(witness.notice('recovered')).toHaveText(/0:(0[3-9]|[1-5]\d) is safe/);
  await expect(witness.notice('complete').first()).toBeVisible();
  await witness.waitForDuration(2);
  await expectFits(witness.page, 'review-resumed');
  await witness.submit();
  await expectAtMostTwoSecondsLost(vidence, created, before.spy);
});

test('a reload during a recording loses nothing that MediaRecorder has delivered', async ({ page, vidence }) => {
  const [created, witness] = await Witness.openAtCamera(page, vidence);
  await witness.recordFor(4);
  // The page shows more seconds than were delivered.
  await expect.poll(() => witness.spy.secondsWithin(Infinity)).toBeGreaterThan(4);
  const recorded = witness.spy.bytes();
  // The last piece is stored a moment after it was delivered.
  await witness.waitForSeconds((await witness.seconds('recorded')) + 1);
  page.on('dialog', (dialog) => dialog.accept());
  // The second reload reads what the first one left.
  for (let time = 0; time < 2; time++) {
    await page.reload();
    await witness.waitForState('review');
    await expect(witness.notice('interrupted').first()).toBeVisible();
    await witness.waitForDuration(2);
    await witness.waitUntilStored();
  }
  await witness.submit();
  const safe = RecorderSpy.recordingIn(await vidence.download(created), recorded);
  // Data that was delivered later may be there, too. Chromium delivers a frame's first byte early: alone it is no frame.
  const common = Math.min(safe.length, recorded.length);
  expect(common).toBeGreaterThanOrEqual(recorded.length - 1);
  expect(safe.subarray(0, common).equals(recorded.subarray(0, common))).toBe(true);
  await expectAtMostTwoSecondsLost(vidence, created, witness.spy);
});

test('a recording that was never uploaded survives a reload, plays, and uploads itself', async ({ page, vidence }) => {
  await page.route('**/takes**', (route) => route.abort());
  await page.route('**/takes/*', (route) => route.abort());
  const [created, witness] = await Witness.openAtCamera(page, vidence);
  await witness.recordFor(3);
  await witness.stopRecording();
  await witness.waitUntilStored();
  expect(await vidence.committedBytes(created)).toBe(0);
  page.on('dialog', (dialog) => dialog.accept());
  await page.reload();
  await witness.waitForState('review');
  const length = await witness.waitForDuration(2);
  const middle = await witness.reviewVideo.evaluate(async (video: HTMLVideoElement, to) => {
    const sought = new Promise((done) => video.addEventListener('seeked', done, { once: true }));
    video.currentTime = to;
    await sought;
    return video.currentTime;
  }, length / 2);
  expect(middle).toBeCloseTo(length / 2, 1);

  await page.unrouteAll();
  await expect(witness.notice('complete').first()).toBeVisible({ timeout: 40_000 });
  await witness.submit();
  const recorded = witness.spy.bytes();
  RecorderSpy.expectSealed(await vidence.download(created), recorded);
});

test('a gap in what the browser has stored truncates the recording there', async ({ page, vidence }) => {
  await page.route('**/takes**', (route) => route.abort());
  await page.route('**/takes/*', (route) => route.abort());
  const [created, witness] = await Witness.openAtCamera(page, vidence);
  await witness.recordFor(4);
  await witness.stopRecording();
  await witness.waitUntilStored();
  await losePiece(page, 3);
  page.on('dialog', (dialog) => dialog.accept());
  await page.reload();
  await witness.waitForState('review');
  await expect(witness.notice('interrupted').first()).toBeVisible();

  await page.unrouteAll();
  await expect(witness.notice('complete').first()).toBeVisible({ timeout: 40_000 });
  await witness.submit();
  const [{ blobs }] = witness.spy.recordings;
  const before = Buffer.concat(blobs.slice(0, 3).map((blob) => blob.bytes));
  const safe = RecorderSpy.recordingIn(await vidence.download(created), before);
  // The frame that the gap cuts is missing.
  expect(safe.equals(before.subarray(0, safe.length))).toBe(true);
  expect(safe.length).toBeGreaterThan(before.length - blobs[2].bytes.length);
});

test('killing the browser loses at most two seconds of a recording', async ({ vidence, network }) => {
  const browser = new Chromium();
  try {
    const created = await vidence.createRequest();
    const before = new Witness(await (await browser.start()).newPage());
    await before.open(network.url(`/r/${created.id}`));
    await before.turnOnCamera();
    // So slow that much of it is on this device only.
    network.limitRate(MEGABIT / 4);
    await before.recordFor(6);
    await browser.kill();
    network.limitRate(Infinity);

    const witness = new Witness(await (await browser.start()).newPage());
    await witness.open(network.url(`/r/${created.id}`));
    await witness.waitForState('review');
    await expect(witness.notice('complete').first()).toBeVisible();
    await witness.submit();
    await expectAtMostTwoSecondsLost(vidence, created, before.spy);
  } finally {
    await browser.end();
  }
});

test('recording again after a reload deletes the take on device and server', async ({ page, vidence }) => {
  const [created, witness] = await Witness.openAtCamera(page, vidence);
  await witness.recordFor(2);
  await witness.stopRecording();
  await expect(witness.notice('complete').first()).toBeVisible();
  page.on('dialog', (dialog) => dialog.accept());
  await page.reload();
  await witness.waitForState('review');
  await witness.recordAgain();
  await expect.poll(async () => (await vidence.fetchState(created)).takes).toEqual([]);
  await page.reload();
  await expect(witness.cameraButton).toBeEnabled();
  await witness.waitForState('idle');
  await expect.poll(() => witness.countStoredRecords()).toBe(0);
});

test('a recording without a single frame is discarded', async ({ page, vidence }) => {
  await deliverOneByte(page);
  const [created, witness] = await Witness.openAtCamera(page, vidence);
  await witness.startRecording();
  await expect.poll(() => vidence.committedBytes(created)).toBe(1);
  await expect.poll(() => witness.countStoredRecords()).toBeGreaterThan(1);
  page.on('dialog', (dialog) => dialog.accept());
  await page.reload();
  await expect(witness.cameraButton).toBeEnabled();
  await witness.waitForState('idle');
  expect(await witness.countStoredRecords()).toBe(0);
  await expect.poll(async () => (await vidence.fetchState(created)).takes).toEqual([]);
});

test('a recording that can’t be read on one visit is restored on the next', async ({ page, context, vidence }) => {
  // It stays on this device only.
  await page.route('**/takes', (route) => route.abort());
  const [created, before] = await Witness.openAtCamera(page, vidence);
  await before.recordFor(3);
  await before.stopRecording();
  await before.waitUntilStored();
  await page.close();

  const blind = new Witness(await context.newPage());
  await failToReadPieces(blind.page);
  await blind.open(created.submission_url);
  await expect(blind.cameraButton).toBeEnabled();
  await blind.waitForState('idle');
  // A new recording must not replace the stored one.
  await blind.turnOnCamera();
  await blind.recordFor(1);
  await blind.stopRecording();
  await blind.page.close();

  const witness = new Witness(await context.newPage());
  await witness.open(created.submission_url);
  await witness.waitForState('review');
  await witness.waitForDuration(2);
  await witness.submit();
  const recorded = before.spy.bytes();
  RecorderSpy.expectSealed(await vidence.download(created), recorded);
});

test('recording works while IndexedDB never answers', async ({ page, vidence }) => {
  const waited = await silenceDatabase(page);
  const created = await vidence.createRequest();
  const witness = new Witness(page);
  await witness.open(created.submission_url);
  await expect(witness.cameraButton).toBeEnabled({ timeout: 40_000 });
  // Two of its patiences with a store, of eight seconds each.
  expect(await waited()).toBeLessThan(16_000);
  await witness.turnOnCamera();
  await expect(witness.notice('memory-only').first()).toBeVisible();
  await witness.recordFor(1);
  await witness.stopRecording();
  await witness.submit();
  const recorded = witness.spy.bytes();
  RecorderSpy.expectSealed(await vidence.download(created), recorded);
});

for (const [how, hours] of [
  ['behind', -30],
  ['ahead', 30],
] as const) {
  test(`a clock that is hours ${how} keeps a recording until its link expires`, async ({ page, context, vidence }) => {
    await shiftClock(page, hours);
    const [created, witness] = await Witness.openAtCamera(page, vidence);
    await witness.recordFor(3);
    await expect(witness.notice('last-minute')).toHaveCount(0);
    await witness.stopRecording();
    await expect(witness.notice('complete').first()).toBeVisible();
    await page.close();
    // The clock is right again.
    const again = new Witness(await context.newPage());
    await again.open(created.submission_url);
    await again.waitForState('review');
    await again.waitForDuration(2);

    // The page of another link cleans up the storage.
    const { submission_url } = await vidence.createRequest();
    const left = (Date.parse(created.expires_at) - Date.now()) / 3_600_000;
    for (const [later, isKept] of [
      [left - 0.1, true],
      [left + 0.1, false],
    ] as const) {
      await storeStrayPiece(again.page);
      const other = new Witness(await context.newPage());
      await shiftClock(other.page, hours);
      await shiftServerTime(other.page, later);
      await other.open(submission_url);
      await expect(other.cameraButton).toBeEnabled();
      // It cleans up after it is ready, and removes stray pieces last.
      await expect.poll(() => hasStrayPiece(other.page)).toBe(false);
      expect((await other.countStoredRecords()) > 0).toBe(isKept);
      await other.page.close();
    }
  });
}

test('a link that a wrong clock of the server calls expired keeps the recording', async ({ page, vidence }) => {
  const [created, witness] = await Witness.openAtCamera(page, vidence);
  await witness.recordFor(2);
  await page.route(/\/r\/[^/]+\//, (route) => {
    const error = { code: 'gone', message: 'this has expired' };
    return route.fulfill({ status: 410, json: { error } });
  });
  await witness.waitForState('ended-expired');
  await witness.spy.waitUntilStopped();
  // The clock is right again.
  await page.unrouteAll();
  page.on('dialog', (dialog) => dialog.accept());
  await page.reload();
  await witness.waitForState('review');
  await witness.waitForDuration(1);
  await witness.submit();
  await expectAtMostTwoSecondsLost(vidence, created, witness.spy);
});

/** The submitted video is what was recorded, with at most the last two seconds missing. */
async function expectAtMostTwoSecondsLost(vidence: Vidence, created: Created, spy: RecorderSpy): Promise<void> {
  const recorded = spy.bytes();
  const safe = RecorderSpy.recordingIn(await vidence.download(created), recorded);
  const common = Math.min(safe.length, recorded.length);
  expect(safe.subarray(0, common).equals(recorded.subarray(0, common))).toBe(true);
  expect(spy.secondsWithin(recorded.length) - spy.secondsWithin(safe.length)).toBeLessThanOrEqual(2);
}
