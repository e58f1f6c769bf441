// The main journey: a person records, reviews and submits, and the agent watches and deletes.
import { expect, test } from '../../support/server/vidence.ts';
import { camerasAreOff, trackDevices } from '../../support/device/devices.ts';
import { expectFits } from '../../support/page/screens.ts';
import { RecorderSpy } from '../../support/page/recorder_spy.ts';
import { Witness } from '../../support/page/witness.ts';

test('a person records and submits, and the agent watches and deletes', { tag: '@tls' }, async ({ page, vidence, browser }) => {
  const created = await vidence.createRequest('Show the dent.\n<b>Then</b> the number plate.');
  const witness = new Witness(page);
  await witness.open(created.submission_url);
  const protocol = await page.evaluate(() => {
    const [opened] = performance.getEntriesByType('navigation');
    return (opened as PerformanceNavigationTiming).nextHopProtocol;
  });
  expect(protocol).toBe(vidence.transport === 'tls' ? 'h2' : 'http/1.1');
  await expect(page.getByText('<b>Then</b> the number plate.')).toBeVisible();
  expect((await vidence.fetchStatus(created)).status).toBe('awaiting_submission');

  await witness.turnOnCamera();
  await witness.recordFor(3);
  // Bytes are committed while the recording still runs.
  await expect.poll(() => vidence.committedBytes(created)).toBeGreaterThan(0);
  await expect(witness.stopButton).toBeVisible();
  await witness.waitForSeconds(6);
  // The limit is far away.
  await expect(witness.notice('last-minute')).toHaveCount(0);
  const beforeStop = await vidence.committedBytes(created);
  expect(beforeStop).toBeGreaterThan(0);
  await witness.stopRecording();
  await witness.waitForDuration(5);
  expect((await vidence.fetchStatus(created)).status).toBe('awaiting_submission');
  const recorded = witness.spy.bytes();
  expect(recorded.length).toBeGreaterThan(beforeStop);

  await witness.submit();
  await expect(page.getByRole('heading', { name: 'Sent. Thank you!' })).toBeVisible();
  await expect(page.getByText('You can close this page.')).toBeVisible();

  const status = await vidence.fetchStatus(created);
  expect(status.status).toBe('submitted');
  expect(status.video.expires_at).toBe(created.expires_at);
  const downloaded = await vidence.download(created);
  RecorderSpy.expectSealed(downloaded, recorded);

  const part = await vidence.fetchAsCreator(created, status.video.url, { headers: { Range: 'bytes=0-1' } });
  expect(part.status).toBe(206);
  expect(part.headers.get('content-range')).toBe(`bytes 0-1/${downloaded.length}`);
  expect(part.headers.get('content-type')).toMatch(/^video\//);

  const picture = await decode(await browser.newPage(), downloaded);
  expect(picture.width).toBeGreaterThan(0);
  expect(picture.frames).toBeGreaterThan(0);
  expect(picture.end).toBeGreaterThan(5);

  expect((await vidence.fetchAsCreator(created, `/v1/requests/${created.id}`, { method: 'DELETE' })).status).toBe(204);
  expect((await vidence.fetchAsCreator(created, `/v1/requests/${created.id}`)).status).toBe(404);
  expect((await vidence.fetchAsCreator(created, status.video.url)).status).toBe(404);
  await page.goto(created.submission_url);
  await expect(page.getByRole('heading', { name: 'There is nothing at this link' })).toBeVisible();
});

test('the camera is off after Stop', async ({ page, vidence }) => {
  await trackDevices(page);
  const [, witness] = await Witness.openAtCamera(page, vidence);
  await witness.recordFor(1);
  expect(await camerasAreOff(page)).toBe(false);
  await witness.stopRecording();
  await expect.poll(() => camerasAreOff(page)).toBe(true);
});

test('a second tap on Stop submits nothing', async ({ page, vidence }) => {
  const submissions: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/submission')) submissions.push(request.method());
  });
  const [created, witness] = await Witness.openAtCamera(page, vidence);
  await witness.recordFor(1);
  await witness.stopButton.dblclick({ delay: 80 });
  await witness.waitForState('review');
  await expect(witness.notice('complete').first()).toBeVisible();
  await expect(witness.submitButton).toBeEnabled();
  expect(submissions).toEqual([]);
  expect((await vidence.fetchStatus(created)).status).toBe('awaiting_submission');
});

test('a recording is discarded only after a question, and then on device and server', async ({ page, vidence }) => {
  const [created, witness] = await Witness.openAtCamera(page, vidence);
  const begun = page.waitForResponse((answer) => {
    return answer.request().method() === 'POST' && answer.url().endsWith('/takes');
  });
  await witness.recordFor(1);
  await witness.stopRecording();
  await expect(witness.notice('complete').first()).toBeVisible();
  const first = (await (await begun).headerValue('location'))!.split('/').at(-1)!;

  await witness.recordAgainButton.click();
  await witness.waitForState('confirming-discard');
  await expectFits(page, 'confirming-discard');
  await witness.keepButton.click();
  await witness.waitForState('review');
  expect((await vidence.fetchState(created, first)).take).toMatchObject({ complete: true });

  await witness.recordAgain();
  await expect.poll(async () => (await vidence.fetchState(created)).takes).toEqual([]);
  await witness.recordFor(2);
  await witness.stopRecording();
  await expect(witness.notice('complete').first()).toBeVisible();
  expect((await vidence.fetchState(created)).takes).toHaveLength(1);
  await witness.submit();
  const second = witness.spy.bytes();
  expect(witness.spy.recordings).toHaveLength(2);
  RecorderSpy.expectSealed(await vidence.download(created), second);
});

/** Plays the video to its end in this page. */
async function decode(page: import('@playwright/test').Page, bytes: Buffer) {
  return page.evaluate(async (base64) => {
    const video = document.createElement('video');
    video.muted = true;
    video.playbackRate = 8;
    const data = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
    video.src = URL.createObjectURL(new Blob([data]));
    const ended = new Promise((done, failed) => {
      video.onended = done;
      video.onerror = () => failed(new Error(video.error?.message));
    });
    await video.play();
    await ended;
    const frames = video.getVideoPlaybackQuality().totalVideoFrames;
    return { width: video.videoWidth, end: video.currentTime, frames };
  }, bytes.toString('base64'));
}
