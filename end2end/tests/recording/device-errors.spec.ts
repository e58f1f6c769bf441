// Missing, busy, silent, covered or unplugged devices and missing browser features are explained and cost no recording.
import { coverCamera, uncoverCamera } from '../../support/device/canvas_camera.ts';
import {
  blockCamera,
  cameraBusyOnce,
  denyLocks,
  humIntoMicrophone,
  removeMicrophone,
  silenceMicrophone,
  trackDevices,
  unplugCamera,
} from '../../support/device/devices.ts';
import { phoneVideo } from '../../support/device/phone_video.ts';
import { expectFits } from '../../support/page/screens.ts';
import { RecorderSpy } from '../../support/page/recorder_spy.ts';
import { type Created, type Vidence, expect, test } from '../../support/server/vidence.ts';
import { Witness } from '../../support/page/witness.ts';

test('a camera that is in use can be retried without a reload', async ({ page, vidence }) => {
  await cameraBusyOnce(page);
  const created = await vidence.createRequest();
  const witness = new Witness(page);
  await witness.open(created.submission_url);
  await page.evaluate(() => ((window as any).sameVisit = true));
  await witness.cameraButton.click();
  await witness.waitForState('blocked-busy');
  await expect(page.getByRole('heading', { name: 'The camera is in use' })).toBeVisible();
  await expect(witness.fileField).toBeEnabled();
  await expectFits(page, 'busy');
  await witness.retryButton.click();
  await witness.waitForState('preview');
  expect(await page.evaluate(() => (window as any).sameVisit)).toBe(true);
});

test('unplugging the camera ends the recording, and keeps it', async ({ page, vidence }) => {
  await trackDevices(page);
  const [created, witness] = await Witness.openAtCamera(page, vidence);
  await witness.recordFor(3);
  await unplugCamera(page);
  await witness.waitForState('review');
  await expect(witness.notice('interrupted').first()).toBeVisible();
  await witness.waitForDuration(2);
  await expectFits(page, 'review-interrupted');
  await witness.submit();
  const recorded = witness.spy.bytes();
  RecorderSpy.expectSealed(await vidence.download(created), recorded);
});

test('a camera that was unplugged before the recording can be retried', async ({ page, vidence }) => {
  await trackDevices(page);
  const [, witness] = await Witness.openAtCamera(page, vidence);
  await unplugCamera(page);
  await witness.waitForState(/^blocked-/);
  await witness.retryButton.click();
  await witness.waitForState('preview');
});

test('without a microphone the video has no audio track, and the page says so', async ({ page, vidence }) => {
  await removeMicrophone(page);
  const [created, witness] = await Witness.openAtCamera(page, vidence);
  await expect(witness.notice('no-audio').first()).toBeVisible();
  await expectFits(page, 'preview-silent');
  await witness.recordFor(2);
  await witness.stopRecording();
  await witness.submit();
  expect((await vidence.fetchMetadata(created)).properties.has_audio).toBe(false);
});

test('a silent microphone is detected before the recording, with a double of it', async ({ page, vidence }) => {
  await silenceMicrophone(page);
  const [, witness] = await Witness.openAtCamera(page, vidence);
  await expect(witness.notice('silent').first()).toBeVisible();
  await expectFits(page, 'preview-unheard');
});

test('the level meter follows the microphone, with a double of it', async ({ page, vidence }) => {
  await humIntoMicrophone(page);
  const [, witness] = await Witness.openAtCamera(page, vidence);
  await expect
    .poll(() => witness.part('audio-level').evaluate((meter: HTMLMeterElement) => meter.value), { intervals: [50] })
    .toBeGreaterThan(0.05);
  await expect(witness.notice('silent')).toHaveCount(0);
});

for (const [how, hasCodecs] of [['without drawing its frames', true], ['without WebCodecs', false]] as const) {
  test(`a covered camera is noticed until it is uncovered, ${how}, with a double of it`, async ({ page, vidence }) => {
    await coverCamera(page);
    await page.addInitScript((hasCodecs) => {
      if (!hasCodecs) delete (window as any).VideoFrame;
      // For a canvas Chromium would copy whole frames, and keep them.
      else CanvasRenderingContext2D.prototype.drawImage = () => { throw new Error('a frame is drawn'); };
    }, hasCodecs);
    const [, witness] = await Witness.openAtCamera(page, vidence);
    const notice = witness.notice('dark').first();
    await expect(notice).toBeVisible();
    await expectFits(page, 'preview-dark');
    await uncoverCamera(page);
    await expect(notice).toBeHidden();
  });
}

test('a camera that the device blocks is noticed before and during the recording, with a double of its tracks', async ({
  page,
  vidence,
}) => {
  const [, witness] = await Witness.openAtCamera(page, vidence);
  const notice = witness.notice('muted').first();
  await expect(notice).toBeHidden();
  await blockCamera(page);
  await expect(notice).toBeVisible();
  await witness.recordFor(1);
  await expect(notice).toBeVisible();
  await expectFits(page, 'recording-blocked');
  await blockCamera(page, false);
  await expect(notice).toBeHidden();
  await blockCamera(page);
  await expect(notice).toBeVisible();
  await witness.stopRecording();
  await expect(notice).toBeHidden();
});

test('an insecure page explains why there is no camera, and takes a file', async ({ page, vidence, consoleErrors }) => {
  const created = await vidence.createRequest();
  const address = new URL(created.submission_url);
  address.hostname = 'insecure.test';
  const witness = new Witness(page);
  await witness.open(address.href);
  if (await witness.cameraButton.isVisible()) await witness.cameraButton.click();
  await witness.waitForState('blocked-insecure');
  await expect(page.getByRole('heading', { name: 'The camera needs a secure address' })).toBeVisible();
  await expectFits(page, 'insecure');
  await sendFile(vidence, created, witness);
  // Chromium logs this at each visit.
  await expect.poll(() => consoleErrors.length).toBeGreaterThan(0);
  for (const consoleError of consoleErrors.splice(0)) {
    expect(consoleError).toContain('The Cross-Origin-Opener-Policy header has been ignored');
  }
});

test('a browser that can’t record names those that can, and takes a file', async ({ page, vidence }) => {
  await page.addInitScript(() => {
    Object.defineProperty(globalThis, 'MediaRecorder', { value: undefined });
  });
  const created = await vidence.createRequest();
  const witness = new Witness(page);
  await witness.open(created.submission_url);
  if (await witness.cameraButton.isVisible()) await witness.cameraButton.click();
  await witness.waitForState('blocked-unsupported');
  const advice = 'Copy the link and open it in an up-to-date Safari, Chrome or Firefox.';
  await expect(page.getByText(advice)).toBeVisible();
  await expect(witness.action('copy')).toBeEnabled();
  await expectFits(page, 'unsupported');
  await sendFile(vidence, created, witness);
});

test('without storage the page says that the recording lasts only as long as the page', async ({ page, vidence }) => {
  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('not in private windows', 'SecurityError');
    };
  });
  const [created, witness] = await Witness.openAtCamera(page, vidence);
  await witness.recordFor(2);
  const warning = 'This browser can’t store your recording: keep this page open until the video is sent.';
  await expect(witness.notice('memory-only').first()).toHaveText(warning);
  await witness.stopRecording();
  await witness.submit();
  const recorded = witness.spy.bytes();
  RecorderSpy.expectSealed(await vidence.download(created), recorded);
});

test('a browser without Web Locks records and submits as well', async ({ page, vidence }) => {
  await denyLocks(page);
  const [created, witness] = await Witness.openAtCamera(page, vidence);
  await witness.recordFor(1);
  await witness.stopRecording();
  await witness.submit();
  const recorded = witness.spy.bytes();
  RecorderSpy.expectSealed(await vidence.download(created), recorded);
});

async function sendFile(vidence: Vidence, created: Created, witness: Witness): Promise<void> {
  const bytes = phoneVideo();
  await witness.fileField.setInputFiles({ name: 'IMG_0001.MOV', mimeType: 'video/quicktime', buffer: bytes });
  await witness.waitForState('review');
  await witness.submit();
  expect((await vidence.download(created)).includes(bytes)).toBe(true);
}
