// What only happens on phones: late pieces, a turned camera, vibration, and browsers inside other apps.
import { handOutSlowly } from '../../support/device/camera_doubles.ts';
import { replaceByTurningCamera, turnCamera } from '../../support/device/canvas_camera.ts';
import { devicesAreOff, trackDevices } from '../../support/device/devices.ts';
import { coloursAt, sizeOf } from '../../support/page/colours.ts';
import { Requester } from '../../support/page/requester.ts';
import { expectFits } from '../../support/page/screens.ts';
import { RecorderSpy } from '../../support/page/recorder_spy.ts';
import { Witness } from '../../support/page/witness.ts';
import { expect, test } from '../../support/server/vidence.ts';

/** Points above and below the middle of a picture, and their colours in the frames of the turning camera. */
const HALVES = [
  [1 / 2, 3 / 8],
  [1 / 2, 5 / 8],
] as const;
const UPRIGHT = ['red', 'blue'];

/** The sizes of the frames of the turning camera: before it is turned, between, and after it is turned back. */
const TURNED_SIZES = [
  [640, 360],
  [360, 640],
  [640, 360],
];

test('pieces that arrive late after a stop are part of the video, with a double of a slow recorder', async ({
  page,
  vidence,
}) => {
  // Each pause is shorter than the page waits for a piece, as of a browser whose processors are busy; both together are
  // longer.
  await handOutSlowly(page, 2, 9);
  const [created, witness] = await Witness.openAtCamera(page, vidence);
  await witness.recordFor(3);
  await witness.stopButton.click();
  await witness.waitForState('stopping');
  await expect(witness.main).toHaveAttribute('data-state', 'review', { timeout: 50_000 });
  await witness.submit();
  RecorderSpy.expectSealed(await vidence.download(created), witness.spy.bytes());
});

test('turning the phone during a recording keeps all of it, upright, with a double whose frames change their size', async ({
  page,
  vidence,
}) => {
  await replaceByTurningCamera(page);
  const [created, witness] = await Witness.openAtCamera(page, vidence);
  const size = () =>
    witness.liveVideo.evaluate((video: HTMLVideoElement) => `${video.videoWidth}×${video.videoHeight}`);
  await expect.poll(size).toBe('640×360');
  await witness.recordFor(2);
  await turnCamera(page);
  await expect.poll(size).toBe('360×640');
  const turned = await witness.seconds('recorded');
  await witness.waitForSeconds(turned + 3);
  await turnCamera(page);
  await expect.poll(size).toBe('640×360');
  await witness.waitForSeconds(turned + 6);
  await witness.stopRecording();
  await expect(witness.notice('interrupted')).toHaveCount(0);
  await witness.waitForDuration(turned + 2);
  // Before, between and after. A turn is up to a second later in the video than the page shows.
  const moments = [1, turned + 2.5, turned + 5.5];
  for (const moment of moments) {
    await witness.reviewVideo.evaluate((video: HTMLVideoElement, at) => (video.currentTime = at), moment);
    const shown = async () => coloursAt(page, await witness.reviewVideo.screenshot(), HALVES);
    await expect.poll(shown, `${moment} s`).toEqual(UPRIGHT);
  }
  await witness.submit();
  RecorderSpy.expectSealed(await vidence.download(created), witness.spy.bytes());
  const { duration_ms, width, height } = (await vidence.fetchMetadata(created)).properties;
  expect(duration_ms / 1000).toBeGreaterThan(turned + 2);
  expect([width, height]).toEqual([640, 360]);
  const sizes = [];
  for (const moment of moments) {
    const picture = await vidence.fullPicture(created, 1000 * moment);
    expect(await coloursAt(page, picture, HALVES), `${moment} s`).toEqual(UPRIGHT);
    sizes.push(await sizeOf(page, picture));
  }
  expect(sizes).toEqual(TURNED_SIZES);
  // The console shows the same.
  const requester = new Requester(page);
  await requester.reopenRequest(vidence.url('/'), created);
  expect(await requester.waitForDuration()).toBeGreaterThan(turned + 2);
  for (const [index, moment] of moments.entries()) {
    const shown = async () => {
      const picture = Buffer.from((await requester.seek(moment)).picture.split(',')[1]!, 'base64');
      return [await sizeOf(page, picture), await coloursAt(page, picture, HALVES)];
    };
    await expect.poll(shown, `${moment} s in the console`).toEqual([TURNED_SIZES[index], UPRIGHT]);
  }
});

test('start and stop are felt, with a double of the motor', async ({ page, vidence }) => {
  await page.addInitScript(() => {
    const felt: string[] = ((window as any).felt = []);
    navigator.vibrate = () => {
      felt.push(document.querySelector<HTMLElement>('main')!.dataset.state!);
      return true;
    };
  });
  const felt = () => page.evaluate(() => (window as any).felt as string[]);
  const [, witness] = await Witness.openAtCamera(page, vidence);
  expect(await felt()).toEqual([]);
  await witness.recordFor(1);
  await expect.poll(async () => (await felt()).length).toBe(1);
  await witness.stopRecording();
  expect(await felt()).toHaveLength(2);
});

for (const [system, userAgent, start, end] of [
  [
    'iOS',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Instagram 400.0.0',
    'x-safari-http://',
    '',
  ],
  [
    'Android',
    'Mozilla/5.0 (Linux; Android 15; Pixel 9; wv) AppleWebKit/537.36 Chrome/142.0.0.0 Mobile Safari/537.36',
    'intent://',
    '#Intent;scheme=http;action=android.intent.action.VIEW;category=android.intent.category.BROWSABLE;end',
  ],
] as const) {
  test.describe(`in an app’s own browser on ${system}`, () => {
    test.use({ userAgent });

    test('a link leads to the browser of the system', async ({ page, vidence }) => {
      const created = await vidence.createRequest();
      const witness = new Witness(page);
      await witness.open(created.submission_url);
      await expect(witness.cameraButton).toBeEnabled();
      const link = page.getByRole('link', { name: 'Open in your browser' });
      const address = created.submission_url.replace('http://', '');
      await expect(link).toHaveAttribute('href', start + address + end);
      await expectFits(page, `idle-in-app-${system}`);
      // It is the first thing there, before what the app's browser may not be able to do.
      await page.setViewportSize({ width: 320, height: 568 });
      await expect(link).toBeInViewport({ ratio: 1 });
      // Where the app doesn't follow it, the steps are shown.
      const steps = page.locator('details.in-app');
      await expect(steps).not.toHaveAttribute('open');
      await link.evaluate((link) => link.addEventListener('click', (event) => event.preventDefault()));
      await link.click();
      await expect(steps).toHaveAttribute('open');
    });
  });
}

test('a browser of its own needs no way out', async ({ page, vidence }) => {
  const created = await vidence.createRequest();
  const witness = new Witness(page);
  await witness.open(created.submission_url);
  await expect(witness.cameraButton).toBeEnabled();
  await expect(page.locator('[data-element=link-outside]')).toHaveCount(0);
});

test.describe('on a handheld', () => {
  test.use({ hasTouch: true, isMobile: true });

  test('a preview that is left listens no longer, with a double of a hidden page', async ({ page, vidence }) => {
    await trackDevices(page);
    const [, witness] = await Witness.openAtCamera(page, vidence);
    expect(await devicesAreOff(page)).toBe(false);
    await page.evaluate(() => {
      Object.defineProperty(document, 'hidden', { get: () => true });
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
    });
    await witness.waitForState('idle');
    await expect.poll(() => devicesAreOff(page)).toBe(true);
  });
});
