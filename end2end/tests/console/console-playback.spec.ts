// How the console plays the submitted video.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import { testWithHttpProxy as test } from '../../support/network/http_proxy.ts';
import { Requester, submitVideo } from '../../support/page/requester.ts';
import { expect } from '../../support/server/vidence.ts';

/** VP8 with sound: the built-in decoder makes its stills. */
const VIDEO = readFileSync('../crates/test-support/fixtures/chromium-vp8-opus.webm');

test('seeking fetches the range it needs, also after the service worker was stopped', async ({
  page,
  context,
  vidence,
  httpProxy,
}) => {
  const requester = new Requester(page);
  httpProxy.holdBackAfterBytes = 200_000;
  const created = await requester.createRequest(httpProxy.url('/'));
  const video = await makeLongVideo();
  await submitVideo(vidence, created, video);
  const duration = await requester.waitForDuration();
  const middle = await requester.seek(duration / 2);
  expect(middle.at).toBeCloseTo(duration / 2, 1);
  const later = () => httpProxy.videoRequests().filter((it) => Number(/\d+/.exec(it.range!)) > 200_000);
  expect(later().length).toBeGreaterThan(0);

  const workers = await context.newCDPSession(page);
  await workers.send('ServiceWorker.enable');
  await workers.send('ServiceWorker.stopAllWorkers');
  const before = httpProxy.videoRequests().length;
  await requester.video.evaluate((video: HTMLVideoElement) => video.load());
  await requester.waitForDuration();
  expect((await requester.seek(duration - 1)).at).toBeCloseTo(duration - 1, 1);
  expect(httpProxy.videoRequests().length).toBeGreaterThan(before);
  for (const asked of httpProxy.videoRequests()) {
    expect(asked.authorization).toBe(`Bearer ${created.access_token}`);
  }
});

test('the video is saved as a file, and the player stays', async ({ page, vidence, httpProxy }) => {
  const requester = new Requester(page);
  const created = await requester.createRequest(httpProxy.url('/'));
  await submitVideo(vidence, created, VIDEO);
  const duration = await requester.waitForDuration();
  const saved = await saveVideo(page);
  expect(saved.name).toBe('video.webm');
  expect(saved.bytes.equals(Buffer.from(await vidence.download(created)))).toBe(true);
  expect((await requester.seek(duration / 2)).at).toBeCloseTo(duration / 2, 1);
});

test('a video that can’t be saved is told, and the player stays', async ({ page, vidence, httpProxy }) => {
  const requester = new Requester(page);
  const created = await requester.createRequest(httpProxy.url('/'));
  await submitVideo(vidence, created, VIDEO);
  await requester.waitForDuration();
  expect((await vidence.fetchAsCreator(created, `/v1/requests/${created.id}`, { method: 'DELETE' })).status).toBe(204);
  // The console hears of it by its next poll, which comes after 20 s.
  await page.getByRole('link', { name: 'Save the video' }).click();
  await expect(page.getByText('It can’t be saved now.')).toBeVisible();
  await expect(requester.video).toBeVisible();
});

test('a video whose picture a browser can’t decode is not shown as black, and can be saved', async ({ page, vidence }) => {
  // Chromium does this for HEVC, by the machine that it runs on: sound, no error, and no size.
  await page.addInitScript(() => Object.defineProperty(HTMLVideoElement.prototype, 'videoWidth', { value: 0 }));
  const requester = new Requester(page);
  const created = await requester.createRequest(vidence.url('/'));
  await submitVideo(vidence, created, VIDEO);
  await expect(page.getByText('This browser can’t play the video')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
  const saved = await saveVideo(page);
  expect(saved.bytes.equals(Buffer.from(await vidence.download(created)))).toBe(true);
});

test('a browser without service workers fetches the whole video first, and says so', async ({
  page,
  vidence,
  httpProxy,
}) => {
  await page.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, 'serviceWorker', { value: undefined });
  });
  const requester = new Requester(page);
  const created = await requester.createRequest(httpProxy.url('/'));
  await submitVideo(vidence, created, VIDEO);
  const duration = await requester.waitForDuration();
  await expect(page.getByText('so all of the video was fetched first')).toBeVisible();
  expect((await requester.seek(duration / 2)).at).toBeCloseTo(duration / 2, 1);
  expect(httpProxy.videoRequests()).toMatchObject([
    { range: undefined, authorization: `Bearer ${created.access_token}` },
  ]);
  const saved = await saveVideo(page);
  expect(saved.name).toBe('video.webm');
  expect(saved.bytes.equals(Buffer.from(await vidence.download(created)))).toBe(true);
});

test('the console says that the video was deleted elsewhere while it played', async ({ page, vidence, httpProxy }) => {
  const requester = new Requester(page);
  httpProxy.holdBackAfterBytes = 200_000;
  const created = await requester.createRequest(httpProxy.url('/'));
  await submitVideo(vidence, created, await makeLongVideo());
  const duration = await requester.waitForDuration();
  expect((await vidence.fetchAsCreator(created, `/v1/requests/${created.id}`, { method: 'DELETE' })).status).toBe(204);
  // The browser keeps what it has; the player has to fetch the rest. The seek fails if the player is gone already.
  const seek = (video: HTMLVideoElement, to: number) => void (video.currentTime = to);
  const sought = requester.video.evaluate(seek, duration / 2, { timeout: 5000 }).catch(() => {});
  await Promise.all([sought, expect(requester.heading).toHaveText('Deleted')]);
  await expect(page.locator('iframe')).toHaveCount(0);
});

/** Presses the button that saves the video, and reads what is saved. */
async function saveVideo(page: Page): Promise<{ name: string; bytes: Buffer }> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Save the video' }).click(),
  ]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

/** A few megabytes of noise, so that the middle isn't loaded yet when the beginning plays. */
async function makeLongVideo(): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'video-'));
  const file = join(folder, 'noise.webm');
  const picture = 'testsrc2=size=320x240:rate=15:duration=20,noise=alls=60:allf=t';
  const made = ['-f', 'lavfi', '-i', picture, '-c:v', 'libvpx', '-b:v', '3M', '-deadline', 'realtime', '-g', '15'];
  await promisify(execFile)('ffmpeg', ['-v', 'error', ...made, file]);
  const video = readFileSync(file);
  rmSync(folder, { recursive: true });
  return video;
}
