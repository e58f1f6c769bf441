// The main journeys in Firefox and in WebKit: what can break in one engine only. Those with several cameras, light, zoom and
// turned frames are in engine-cameras.spec.ts.
import { readFileSync } from 'node:fs';
import { SCREEN, expectSealedAs, test } from '../../support/browser/engine_test.ts';
import { phoneVideo } from '../../support/device/phone_video.ts';
import { type PageFile, fireFileEvent, pageFile } from '../../support/page/dropped_files.ts';
import { RecorderSpy } from '../../support/page/recorder_spy.ts';
import { RETRY_TIMEOUT, SLOW_ENGINE, TabWitness } from '../../support/page/tab_witness.ts';
import { expect } from '../../support/server/vidence.ts';

// One at a time: these engines encode in software, and two of them starve each other.
test.describe.configure({ mode: 'default', lock: 'software encoder' });

test('a person records, pauses, resumes and submits, and the agent gets every byte', async ({ witness, vidence }) => {
  const created = await vidence.createRequest();
  await witness.open(created.submission_url);
  await witness.turnOnCamera();
  await witness.recordFor(3);
  await witness.tab.press('Pause');
  await witness.waitForState('paused');
  // Longer than a camera may deliver nothing before it counts as lost.
  const paused = Date.now();
  await expect.poll(() => Date.now() - paused).toBeGreaterThan(3000);
  expect(await witness.state()).toBe('paused');
  const before = await witness.seconds();
  await witness.tab.press('Resume');
  await witness.waitForState('recording');
  await witness.waitForSeconds(before + 3);
  // Bytes are committed while the recording still runs.
  await expect.poll(() => vidence.committedBytes(created), SLOW_ENGINE).toBeGreaterThan(0);
  await witness.stopRecording();
  expect(await witness.isNoticeVisible('interrupted')).toBe(false);
  const length = await witness.seconds();
  await witness.waitForDuration(length - 2);
  expect((await vidence.fetchStatus(created)).status).toBe('awaiting_submission');
  await witness.submit();

  const { status, video } = await vidence.fetchStatus(created);
  expect(status).toBe('submitted');
  expect(video.expires_at).toBe(created.expires_at);
  await expectSealedAs(vidence, created, await witness.recordedBytes());
  const { properties, captured_as, arrival } = await vidence.fetchMetadata(created);
  expect([captured_as, arrival.while_recorded]).toEqual(['recorded', true]);
  // The pause is not counted.
  expect(Math.abs(properties.duration_ms / 1000 - length)).toBeLessThan(2);
  expect(properties.has_audio).toBe(true);
});

test('a reload during a recording loses nothing that MediaRecorder has delivered', async ({ witness, vidence }) => {
  const created = await vidence.createRequest();
  await witness.open(created.submission_url);
  await witness.turnOnCamera();
  await witness.recordFor(6);
  await witness.waitForPieces(4);
  const recorded = await witness.recordedBytes();
  // The last piece is stored a moment after it was delivered.
  await witness.waitForSeconds((await witness.seconds()) + 1);
  await witness.tab.reload();
  await witness.waitForState('review');
  await witness.waitForDuration(2);
  await witness.submit();
  const safe = RecorderSpy.recordingIn(await vidence.download(created), recorded);
  // Data that was delivered later may be there, too.
  expect(safe.subarray(0, recorded.length).equals(recorded)).toBe(true);
  const { properties } = await vidence.fetchMetadata(created);
  expect(properties.duration_ms).toBeGreaterThan(2000);
});

test('without a network the page says so, keeps recording, and resumes the upload by itself', async ({
  witness,
  vidence,
  network,
}) => {
  const created = await vidence.createRequest();
  await witness.open(network.url(`/r/${created.id}`));
  await witness.turnOnCamera();
  await witness.recordFor(2);
  await expect.poll(() => vidence.committedBytes(created)).toBeGreaterThan(0);

  await network.cut();
  await witness.waitForNotice('retrying');
  await witness.waitForText('The upload isn’t getting through right now. We keep trying.');
  const promised = await vidence.committedBytes(created);
  await witness.waitForSeconds((await witness.seconds()) + 2);
  expect(await vidence.committedBytes(created)).toBe(promised);

  await network.restore();
  await expect.poll(() => vidence.committedBytes(created), RETRY_TIMEOUT).toBeGreaterThan(promised);
  await expect.poll(() => witness.isNoticeVisible('retrying')).toBe(false);
  await witness.stopRecording();
  await witness.submit();
  await expectSealedAs(vidence, created, await witness.recordedBytes());
});

test('killing the server during a recording loses none of it', async ({ witness, vidence }) => {
  const created = await vidence.createRequest();
  await witness.open(created.submission_url);
  await witness.turnOnCamera();
  await witness.recordFor(2);
  await expect.poll(() => vidence.committedBytes(created)).toBeGreaterThan(0);

  const promised = await vidence.committedBytes(created);
  await vidence.stop('SIGKILL');
  await witness.waitForNotice('retrying');
  await vidence.start();
  expect(await vidence.committedBytes(created)).toBeGreaterThanOrEqual(promised);
  await expect.poll(() => vidence.committedBytes(created), RETRY_TIMEOUT).toBeGreaterThan(promised);
  await witness.stopRecording();
  await witness.submit();
  await expectSealedAs(vidence, created, await witness.recordedBytes());
});

test('recording again replaces the first recording', async ({ witness, vidence }) => {
  const created = await vidence.createRequest();
  await witness.open(created.submission_url);
  await witness.turnOnCamera();
  await witness.recordFor(1);
  await witness.stopRecording();
  await witness.waitForNotice('complete');
  const first = await witness.recordedBytes();
  await witness.recordAgain();
  await expect.poll(async () => (await vidence.fetchState(created)).takes).toEqual([]);
  await witness.recordFor(2);
  await witness.stopRecording();
  await witness.submit();
  const second = await witness.recordedBytes();
  await expectSealedAs(vidence, created, second);
  // Two recordings may begin with the same bytes.
  expect((await vidence.download(created)).includes(first)).toBe(false);
});

test('a chosen video file is sent unchanged', async ({ witness, vidence, file }) => {
  const created = await vidence.createRequest();
  await witness.open(created.submission_url);
  const bytes = phoneVideo();
  await witness.tab.choose(file('IMG_0001.MOV', bytes));
  await witness.waitForState('review');
  await witness.waitForNotice('complete');
  await witness.submit();
  expect((await vidence.download(created)).includes(bytes)).toBe(true);
});

test('a dropped and a pasted video are taken, and several files or no video are refused', async ({ witness, vidence }) => {
  const give = (name: 'dragover' | 'drop' | 'paste', ...files: PageFile[]) =>
    witness.tab.evaluate(fireFileEvent, { name, files });
  for (const name of ['drop', 'paste'] as const) {
    const created = await vidence.createRequest();
    await witness.open(created.submission_url);
    await witness.waitForState('idle');
    await expect.poll(() => witness.tab.evaluate(() => !document.querySelector('[data-action=open-camera]:disabled'))).toBe(true);
    const bytes = phoneVideo();
    const [video, diary] = [pageFile('IMG_0001.MOV', bytes), pageFile('diary.txt', Buffer.from('Dear diary,'))];
    expect(await give('dragover', video)).toBe(true);
    await witness.waitForText('Drop the video here');
    await give(name, video, diary);
    await witness.waitForText('Please choose just one video.');
    await give(name, diary);
    await witness.waitForText('We can’t take this file.');
    expect(await give(name, video)).toBe(name === 'drop');
    await witness.waitForState('review');
    await witness.waitForText('IMG_0001.MOV');
    await witness.submit();
    expect((await vidence.download(created)).includes(bytes)).toBe(true);
  }
});

test('a chosen video shows its first frame before it is played', async ({ witness, vidence, file }) => {
  const created = await vidence.createRequest();
  await witness.open(created.submission_url);
  await witness.tab.choose(file('clip.webm', readFileSync('../crates/test-support/fixtures/whole.webm')));
  await witness.waitForState('review');
  const at = () => witness.tab.evaluate(() => document.querySelector<HTMLVideoElement>('[data-element=review]')!.currentTime);
  await expect.poll(at).toBeGreaterThan(0);
  expect(await at()).toBeLessThan(0.1);
  // After five seconds, a browser that has neither loaded nor refused it would be stuck.
  const now = () => witness.tab.evaluate(() => performance.now());
  const since = await now();
  await expect.poll(now).toBeGreaterThan(since + 6000);
  expect(await witness.isNoticeVisible('not-playable')).toBe(false);
});

test('a video that this browser can’t show is sent as it is, without a player', async ({ witness, vidence, file }) => {
  const created = await vidence.createRequest();
  await witness.open(created.submission_url);
  const bytes = phoneVideo(undefined, 'prores');
  await witness.tab.choose(file('IMG_0001.MOV', bytes));
  await witness.waitForState('review');
  await witness.waitForText('There’s no preview because this browser can’t show this video.');
  await witness.submit();
  expect((await vidence.download(created)).includes(bytes)).toBe(true);
});

test('a shared screen is recorded with the microphone', { tag: SCREEN }, async ({ witness, vidence }) => {
  const created = await vidence.createRequest();
  await witness.open(created.submission_url);
  await witness.tab.evaluate(() => document.querySelector<HTMLElement>('#other-sources')!.showPopover());
  await witness.tab.press('Record the screen');
  await witness.waitForState('preview');
  await witness.recordFor(3);
  await witness.stopRecording();
  await witness.submit();
  await expectSealedAs(vidence, created, await witness.recordedBytes());
  expect((await vidence.fetchMetadata(created)).properties.has_audio).toBe(true);
});

test('a second tab waits while the first one records, and takes over once that closes', async ({
  started,
  witness,
  vidence,
}) => {
  const created = await vidence.createRequest();
  await witness.open(created.submission_url);
  await witness.turnOnCamera();
  await witness.recordFor(2);
  const second = new TabWitness(await started.tab());
  await second.open(created.submission_url);
  await second.waitForState('elsewhere');
  await second.waitForText('This page is open in another tab');
  await witness.stopRecording();
  await witness.waitForNotice('complete');
  const recorded = await witness.recordedBytes();

  await witness.tab.close();
  await second.waitForState('review');
  await second.waitForDuration(1);
  await second.submit();
  await expectSealedAs(vidence, created, recorded);
});

test('the console shows a request in place of the introduction, and asks before it deletes it', async ({ started, vidence }) => {
  const tab = await started.tab();
  await tab.goto(vidence.url('/'));
  await tab.evaluate(() => void (document.querySelector('textarea')!.value = 'Show the dent.'));
  await tab.press('Create the link');
  const shown = () => {
    const parts = ['.scene', '.programs', '.create-form', '.link-card'];
    return parts.filter((it) => document.querySelector(it)?.checkVisibility());
  };
  await expect.poll(() => tab.evaluate(shown)).toEqual(['.link-card']);
  // The question before the deletion is as high as its words, on a screen of 844 pixels.
  await tab.press('Delete…');
  const height = () => tab.evaluate(() => document.querySelector('dialog:modal')?.clientHeight);
  await expect.poll(height).toBeLessThan(450);
});

test.describe('on a machine without a camera', () => {
  test.use({ camera: false });

  test('the page says so, and a file can be sent', async ({ witness, vidence, file }) => {
    const created = await vidence.createRequest();
    await witness.open(created.submission_url);
    await witness.tab.press('Open camera');
    await witness.waitForState('blocked-no-camera');
    await witness.waitForText('No camera found');
    // It can be sought already, so it comes back as it is.
    const bytes = readFileSync('../crates/test-support/fixtures/whole.webm');
    await witness.tab.choose(file('clip.webm', bytes));
    await witness.waitForState('review');
    await witness.waitForDuration(0);
    await witness.submit();
    expect((await vidence.download(created)).equals(bytes)).toBe(true);
  });
});
