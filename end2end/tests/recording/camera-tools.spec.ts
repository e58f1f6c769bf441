// Light, zoom, focus and lens of the camera. The engine's fake cameras have none of them, so doubles of a track's abilities
// and of a phone's cameras stand in for them.
// A little more than 300 lines: all tests share the doubles.
import { type Locator, type Page } from '@playwright/test';
import {
  THREE_BACK_CAMERAS,
  giveAbilities,
  mostUnderWay,
  openedCameras,
  readApplied,
  replaceCameras,
} from '../../support/device/camera_doubles.ts';
import { RecorderSpy } from '../../support/page/recorder_spy.ts';
import { expectFits } from '../../support/page/screens.ts';
import { Witness } from '../../support/page/witness.ts';
import { expect, test } from '../../support/server/vidence.ts';

const PHONE = { torch: true, zoom: { min: 0.5, max: 8, step: 0.1 }, focusMode: ['manual', 'single-shot', 'continuous'] };

const torch = (page: Page) => page.getByRole('button', { name: 'Light', exact: true });
const zoomButtons = (page: Page) => page.getByRole('group', { name: 'Zoom' }).getByRole('button');
const slider = (page: Page) => page.getByRole('slider', { name: 'Zoom' });
const lens = (page: Page) => page.getByRole('combobox', { name: 'Lens' });

/** The settings of the track that is shown. */
const settings = (witness: Witness) =>
  witness.liveVideo.evaluate((video: HTMLVideoElement) => {
    const track = (video.srcObject as MediaStream | null)?.getVideoTracks()[0];
    return track?.getSettings() as { torch?: boolean; zoom?: number; deviceId?: string } | undefined;
  });

const expectZoom = (witness: Witness, zoom: number) =>
  expect.poll(async () => (await settings(witness))?.zoom).toBeCloseTo(zoom, 5);

/** Puts two fingers on the picture and moves them apart to this many times their distance. */
async function pinch(page: Page, picture: Locator, times: number): Promise<void> {
  const { x, y, width, height } = (await picture.boundingBox())!;
  const client = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', distance?: number) => {
    const at = (offset: number) => ({ x: x + width / 2 + offset, y: y + height / 2 });
    const touchPoints = distance === undefined ? [] : [at(-distance / 2), at(distance / 2)];
    return client.send('Input.dispatchTouchEvent', { type, touchPoints });
  };
  await touch('touchStart', 60);
  for (const step of [0.25, 0.5, 0.75, 1]) await touch('touchMove', 60 * (1 + (times - 1) * step));
  await touch('touchEnd');
}

test('nothing of it shows on a camera without abilities', async ({ page, vidence }) => {
  const [, witness] = await Witness.openAtCamera(page, vidence);
  await expect(witness.part('audio-level')).toBeVisible();
  for (const tool of [torch(page), zoomButtons(page), slider(page), lens(page)]) await expect(tool).toHaveCount(0);
  await witness.liveVideo.dblclick();
  // At once: it would fade soon.
  expect(await page.locator('.focus-ring').isHidden()).toBe(true);
});

test('the light is switched on and off, and shows it, on a double of a camera with a light', async ({
  page,
  vidence,
}) => {
  await giveAbilities(page, PHONE);
  const [, witness] = await Witness.openAtCamera(page, vidence);
  const isOn = async () => (await settings(witness))?.torch;
  await expect(torch(page)).toHaveAttribute('aria-pressed', 'false');
  await torch(page).click();
  await expect.poll(isOn).toBe(true);
  await expect(torch(page)).toHaveAttribute('aria-pressed', 'true');
  await expectFits(page, 'preview-camera-tools');
  // While it is recorded, too.
  await witness.recordFor(1);
  await expect(torch(page)).toHaveAttribute('aria-pressed', 'true');
  await torch(page).click();
  await expect.poll(isOn).toBe(false);
  await expect(torch(page)).toHaveAttribute('aria-pressed', 'false');
  // The system switches it off by itself, as when the phone becomes hot.
  await torch(page).click();
  await expect.poll(isOn).toBe(true);
  await witness.liveVideo.evaluate((video: HTMLVideoElement) => {
    const [track] = (video.srcObject as MediaStream).getVideoTracks();
    return track.applyConstraints({ advanced: [{ torch: false } as MediaTrackConstraintSet] });
  });
  await expect(torch(page)).toHaveAttribute('aria-pressed', 'false');
  // It stays off when something else is adjusted.
  await zoomButtons(page).nth(2).click();
  await expectZoom(witness, 2);
  expect(await isOn()).toBe(false);
  await witness.stopRecording();
});

test('the light shows that it is on with forced colors, too, on a double of a camera with a light', async ({
  page,
  vidence,
}) => {
  await giveAbilities(page, PHONE);
  await Witness.openAtCamera(page, vidence);
  await page.emulateMedia({ forcedColors: 'active' });
  const ground = () => torch(page).evaluate((it) => getComputedStyle(it).backgroundColor);
  const off = await ground();
  await torch(page).click();
  await expect(torch(page)).toHaveAttribute('aria-pressed', 'true');
  expect(await ground()).not.toBe(off);
});

test('the light goes off with the camera, on a double of a camera with a light', async ({ page, vidence }) => {
  await giveAbilities(page, PHONE);
  const [, witness] = await Witness.openAtCamera(page, vidence);
  await torch(page).click();
  await expect.poll(async () => (await settings(witness))?.torch).toBe(true);
  const camera = await witness.liveVideo.evaluateHandle(
    (video: HTMLVideoElement) => (video.srcObject as MediaStream).getVideoTracks()[0],
  );
  await witness.action('close').click();
  await witness.waitForState('idle');
  // Without the page's own request the double would leave it on.
  await expect.poll(() => camera.evaluate((track) => (track.getSettings() as any).torch)).toBe(false);
  await witness.turnOnCamera();
  await expect(torch(page)).toHaveAttribute('aria-pressed', 'false');
});

test('zoom by button, keyboard and mouse reaches the track, on a double of a camera that zooms', async ({ page, vidence }) => {
  await giveAbilities(page, PHONE);
  const [, witness] = await Witness.openAtCamera(page, vidence);
  await expect(zoomButtons(page)).toHaveText(['0.5×', '1×', '2×', '5×']);
  const pressed = page.locator('.zoom [aria-pressed=true]');
  await expect(pressed).toHaveText('1×');
  await zoomButtons(page).nth(2).click();
  await expectZoom(witness, 2);
  await expect(pressed).toHaveText('2×');
  await slider(page).focus();
  await page.keyboard.press('ArrowUp');
  await expectZoom(witness, 2.1);
  await expect(slider(page)).toHaveAttribute('aria-valuetext', '2.1×');
  await expect(pressed).toHaveText('2.1×');
  await page.keyboard.press('Home');
  await expectZoom(witness, 0.5);
  await expect(pressed).toHaveText('0.5×');
  // A mouse finds the slider above the buttons.
  await zoomButtons(page).nth(1).hover();
  await slider(page).click({ position: { x: 1, y: 22 } });
  await expectZoom(witness, 0.5);
  // While it is recorded, too.
  await witness.recordFor(1);
  await zoomButtons(page).nth(3).press('Enter');
  await expectZoom(witness, 5);
  await witness.stopRecording();
});

test('of many zooms one is under way and the last one wins, on a double of a camera that zooms', async ({
  page,
  vidence,
}) => {
  await giveAbilities(page, PHONE);
  const [, witness] = await Witness.openAtCamera(page, vidence);
  await slider(page).evaluate((slider: HTMLInputElement) => {
    for (let tenths = 11; tenths <= 60; tenths++) {
      slider.value = String(tenths);
      slider.dispatchEvent(new Event('input', { bubbles: true }));
    }
  });
  await expectZoom(witness, 6);
  expect(await mostUnderWay(page)).toBe(1);
  const zooms = (await readApplied(page)).map((it) => it.zoom);
  expect(zooms).toHaveLength(2);
  expect(zooms.at(-1)).toBeCloseTo(6, 5);
});

test('numbers are written as the language writes them, on a double of a camera that zooms', async ({
  page,
  vidence,
}) => {
  await giveAbilities(page, PHONE);
  const created = await vidence.createRequest();
  const witness = new Witness(page);
  await witness.open(`${created.submission_url}?lang=de`);
  await witness.action('open-camera').click();
  await witness.waitForState('preview');
  await expect(page.locator('.zoom button').first()).toHaveText('0,5×');
});

test.describe('on a phone', () => {
  test.use({ hasTouch: true, isMobile: true });

  test('zoom by pinch and double tap reaches the track, on a double of a camera that zooms', async ({
    page,
    vidence,
  }) => {
    await giveAbilities(page, PHONE);
    const [, witness] = await Witness.openAtCamera(page, vidence);
    await pinch(page, witness.liveVideo, 3);
    await expectZoom(witness, 3);
    expect(await mostUnderWay(page)).toBe(1);
    // The page itself isn't zoomed.
    expect(await page.evaluate(() => visualViewport!.scale)).toBe(1);
    const { x, y, width, height } = (await witness.liveVideo.boundingBox())!;
    const tap = () => page.touchscreen.tap(x + width / 2, y + height / 2);
    // Nothing is waited for in between: taps that are far apart count one by one.
    const tapTwice = () => Promise.all([tap(), tap()]);
    await tapTwice();
    await expectZoom(witness, 1);
    await tapTwice();
    await expectZoom(witness, 2);
  });

  test('a tap focuses there, on a double of a camera that focuses', async ({ page, vidence }) => {
    await giveAbilities(page, { focusMode: ['single-shot', 'continuous'] });
    await replaceCameras(page, THREE_BACK_CAMERAS);
    const [, witness] = await Witness.openAtCamera(page, vidence);
    const tapAtTheLeft = async () => {
      // Before the first frame there is nothing to focus on.
      const frameWidth = () => witness.liveVideo.evaluate((video: HTMLVideoElement) => video.videoWidth);
      await expect.poll(frameWidth).toBeGreaterThan(0);
      const { x, y, width, height } = (await witness.liveVideo.boundingBox())!;
      await page.touchscreen.tap(x + width / 4, y + height / 2);
    };
    const focus = async (nth: number) => {
      await expect.poll(async () => (await readApplied(page)).length).toBe(nth);
      return (await readApplied(page))[nth - 1];
    };
    const ring = page.locator('.focus-ring');
    // It is seen for a second, in which a busy machine may not look.
    const isShown = ring.evaluate((it) => {
      return new Promise<boolean>((done) => {
        new MutationObserver(() => it.checkVisibility() && done(true)).observe(it, { attributes: true });
      });
    });
    await tapAtTheLeft();
    expect(await isShown).toBe(true);
    const { pointsOfInterest, focusMode } = await focus(1);
    expect(focusMode).toBe('continuous');
    expect(pointsOfInterest![0].x).toBeCloseTo(0.25, 1);
    expect(pointsOfInterest![0].y).toBeCloseTo(0.5, 1);
    // It fades.
    await expect(ring).toBeHidden();
    // The front camera is mirrored in the preview only.
    await expect(page.getByText('Back camera')).toBeVisible();
    await witness.action('flip-camera').click();
    await expect(witness.liveVideo).toHaveClass(/mirrored/);
    await expect(page.getByText('Front camera')).toBeVisible();
    await expect(page.getByText('Back camera')).toBeHidden();
    await expect.poll(async () => (await settings(witness))?.deviceId).toBe(THREE_BACK_CAMERAS[0].label);
    await witness.waitForState('preview');
    await tapAtTheLeft();
    expect((await focus(2)).pointsOfInterest![0].x).toBeCloseTo(0.75, 1);
  });

  test('the main lens is chosen among three back cameras, and another one can be, on a double of a phone', async ({
    page,
    vidence,
  }) => {
    await replaceCameras(page, THREE_BACK_CAMERAS);
    const [created, witness] = await Witness.openAtCamera(page, vidence);
    const current = async () => (await settings(witness))?.deviceId;
    await expect.poll(current).toBe('camera2 0, facing back');
    await expect(lens(page).locator('option')).toHaveText(['Normal', 'Camera 2', 'Camera 3']);
    await expect(lens(page)).toHaveValue('camera2 0, facing back');
    await expectFits(page, 'preview-lenses');
    await lens(page).selectOption('Camera 2');
    await expect.poll(current).toBe('camera2 2, facing back');
    // The choice outlives the other side, and the camera.
    await witness.action('flip-camera').click();
    await expect.poll(current).toBe('camera2 1, facing front');
    await expect(lens(page)).toHaveCount(0);
    await witness.action('flip-camera').click();
    await expect.poll(current).toBe('camera2 2, facing back');
    await witness.action('close').click();
    await witness.waitForState('idle');
    await witness.turnOnCamera();
    await expect.poll(current).toBe('camera2 2, facing back');
    // The browser's own choice was opened once, to learn the names.
    expect((await openedCameras(page)).filter((it) => it === 'camera2 3, facing back')).toHaveLength(1);
    // Not while it is recorded, which would end with the lens.
    await witness.recordFor(1);
    await expect(lens(page)).toHaveCount(0);
    await witness.stopRecording();
    // What the camera that was chosen last has seen is the video.
    await witness.submit();
    RecorderSpy.expectSealed(await vidence.download(created), witness.spy.bytes());
  });

  test('the main lens is chosen after the front camera, too, on a double of a phone', async ({ page, vidence }) => {
    await page.addInitScript(() => localStorage.setItem('vidence.choice', '-fa\n\n'));
    await replaceCameras(page, THREE_BACK_CAMERAS);
    const [, witness] = await Witness.openAtCamera(page, vidence);
    const current = async () => (await settings(witness))?.deviceId;
    await expect.poll(current).toBe('camera2 1, facing front');
    await witness.action('flip-camera').click();
    await expect.poll(current).toBe('camera2 0, facing back');
    await expect(lens(page)).toHaveValue('camera2 0, facing back');
  });

  test('after a lens that can’t be opened the one before is shown again, on a double of a phone', async ({
    page,
    vidence,
  }) => {
    const broken = 'camera2 2, facing back';
    await replaceCameras(
      page,
      THREE_BACK_CAMERAS.map((camera) => ({ ...camera, isBroken: camera.label === broken })),
    );
    const [, witness] = await Witness.openAtCamera(page, vidence);
    const main = 'camera2 0, facing back';
    await expect(lens(page)).toHaveValue(main);
    await lens(page).selectOption('Camera 2');
    await expect.poll(async () => (await openedCameras(page)).filter((it) => it === main)).toHaveLength(2);
    await expect(lens(page)).toHaveValue(main);
    await expect(witness.main).toHaveAttribute('data-state', 'preview');
    await expect.poll(async () => (await settings(witness))?.deviceId).toBe(main);
  });

  test('a camera that zooms over its lenses needs no choice, on a double of an iPhone', async ({ page, vidence }) => {
    await giveAbilities(page, PHONE);
    await replaceCameras(page, [
      { label: 'Front Camera', facing: 'user' },
      { label: 'Back Dual Wide Camera', facing: 'environment' },
      { label: 'Back Ultra Wide Camera', facing: 'environment' },
      { label: 'Back Camera', facing: 'environment' },
    ]);
    const [, witness] = await Witness.openAtCamera(page, vidence);
    await expect(zoomButtons(page)).toHaveCount(4);
    expect((await settings(witness))?.deviceId).toBe('Back Dual Wide Camera');
    await expect(lens(page)).toHaveCount(0);
  });
});
