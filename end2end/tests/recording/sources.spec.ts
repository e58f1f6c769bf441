// Cameras, the screen and sound can be chosen, and are recorded as chosen.
import type { Locator, Page } from '@playwright/test';
import { replaceByFrontCamera } from '../../support/device/canvas_camera.ts';
import { expect, test } from '../../support/server/vidence.ts';
import { coloursAt } from '../../support/page/colours.ts';
import { expectFits } from '../../support/page/screens.ts';
import { RecorderSpy } from '../../support/page/recorder_spy.ts';
import { Witness } from '../../support/page/witness.ts';

test('a shared screen is recorded and submitted like a camera', async ({ page, vidence }) => {
  const created = await vidence.createRequest();
  const witness = new Witness(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await witness.open(created.submission_url);
  await witness.otherWaysButton.click();
  await witness.action('share-screen').click();
  await witness.waitForState('preview');
  await expectFits(page, 'preview-screen');
  await witness.recordFor(2);
  await witness.stopRecording();
  await witness.submit();
  // A screen on which nothing moves delivers frames at any time, or none: the duration is undefined.
  expect((await vidence.fetchMetadata(created)).properties.width).toBeGreaterThan(0);
  const recorded = witness.spy.bytes();
  RecorderSpy.expectSealed(await vidence.download(created), recorded);
});

test('sharing the screen is not offered where the browser can’t', async ({ page, vidence }) => {
  await page.addInitScript(() => delete (MediaDevices.prototype as any).getDisplayMedia);
  const created = await vidence.createRequest();
  const witness = new Witness(page);
  await witness.open(created.submission_url);
  await expect(witness.cameraButton).toBeEnabled();
  await witness.otherWaysButton.click();
  await expect(witness.fileField).toBeEnabled();
  await expect(witness.action('share-screen')).toHaveCount(0);
});

test('switching sound off records no audio track', async ({ page, vidence }) => {
  const [created, witness] = await Witness.openAtCamera(page, vidence);
  await witness.soundSwitch.click();
  await expect(witness.notice('no-audio').first()).toBeVisible();
  await witness.recordFor(2);
  await witness.stopRecording();
  await witness.submit();
  expect((await vidence.fetchMetadata(created)).properties.has_audio).toBe(false);
});

test('sound that is switched off while the camera is replaced isn’t recorded', async ({ page, vidence }) => {
  const [created, witness] = await Witness.openAtCamera(page, vidence);
  // Another camera takes a while, as on phones.
  await page.evaluate(() => {
    const { mediaDevices } = navigator;
    const open = mediaDevices.getUserMedia.bind(mediaDevices);
    const slow = new Promise((resolve) => ((window as any).goOn = resolve));
    mediaDevices.getUserMedia = async (wanted) => {
      await slow;
      return open(wanted);
    };
  });
  await page.getByRole('button', { name: 'Camera and microphone' }).click();
  const cameras = witness.part('cameras').locator('option:not([value=""])');
  await witness.part('cameras').selectOption(await cameras.last().getAttribute('value'));
  await page.getByRole('button', { name: 'Close' }).click();
  await witness.soundSwitch.click();
  await page.evaluate(() => (window as any).goOn());
  const audioTracks = () =>
    witness.liveVideo.evaluate((video: HTMLVideoElement) => (video.srcObject as MediaStream | null)?.getAudioTracks().length);
  await expect.poll(audioTracks).toBe(0);
  await witness.recordFor(2);
  await witness.stopRecording();
  await witness.submit();
  expect((await vidence.fetchMetadata(created)).properties.has_audio).toBe(false);
});

test('the chosen camera is used, and remembered after a reload', async ({ page, vidence }) => {
  const [, witness] = await Witness.openAtCamera(page, vidence);
  // Undefined while the camera is being replaced.
  const seen = () =>
    witness.liveVideo.evaluate((video: HTMLVideoElement) => {
      const shown = video.srcObject as MediaStream | null;
      return shown?.getVideoTracks()[0]?.getSettings().deviceId;
    });
  await page.getByRole('button', { name: 'Camera and microphone' }).click();
  await expectFits(page, 'preview-devices');
  const cameras = witness.part('cameras');
  const first = await seen();
  expect(first).toBeTruthy();
  const other = await cameras
    .locator('option')
    .evaluateAll(
      (options: HTMLOptionElement[], first) => options.map((it) => it.value).find((it) => it && it !== first)!,
      first!,
    );
  expect(other).toBeTruthy();
  await cameras.selectOption(other);
  await expect.poll(seen).toBe(other);
  await page.getByRole('button', { name: 'Close' }).click();
  await witness.recordFor(1);
  await witness.stopRecording();
  await page.reload();
  await witness.waitForState('review');
  await witness.recordAgain();
  await expect.poll(seen).toBe(other);
});

test('the front camera is mirrored in the preview, and not in the file, with a double of it', async ({ page, context, vidence }) => {
  await replaceByFrontCamera(page, 'red', 'blue');
  const [created, witness] = await Witness.openAtCamera(page, vidence);
  await expect.poll(() => sampleColours(witness.liveVideo)).toEqual(['blue', 'red']);
  await witness.recordFor(1);
  await witness.stopRecording();
  await expect.poll(() => sampleColours(witness.reviewVideo)).toEqual(['red', 'blue']);
  await witness.submit();
  const player = await openPlayer(await context.newPage(), await vidence.download(created));
  await expect.poll(() => sampleColours(player)).toEqual(['red', 'blue']);
});

/** The colours left and right of a picture's middle. */
const sampleColours = async (picture: Locator) =>
  coloursAt(picture.page(), await picture.screenshot(), [
    [3 / 8, 1 / 2],
    [5 / 8, 1 / 2],
  ]);

/** Opens a player for this video in an empty page, and waits for the first frame. */
async function openPlayer(page: Page, bytes: Buffer): Promise<Locator> {
  await page.evaluate(async (base64) => {
    const video = document.createElement('video');
    const data = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
    video.src = URL.createObjectURL(new Blob([data]));
    document.body.append(video);
    await new Promise((done, failed) => {
      video.onloadeddata = done;
      video.onerror = () => failed(new Error(video.error?.message));
    });
  }, bytes.toString('base64'));
  return page.locator('video');
}
