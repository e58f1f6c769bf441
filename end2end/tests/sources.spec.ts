import type { Locator, Page } from '@playwright/test';
import { frontCamera } from './devices.ts';
import { expect, test } from './vidence.ts';
import { fits } from './screens.ts';
import { Tape } from './tape.ts';
import { Witness } from './witness.ts';

test('a screen is recorded and sent like a camera', async ({ page, vidence }) => {
  const created = await vidence.create();
  const witness = new Witness(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await witness.open(created.submission_url);
  await witness.does('share-screen').click();
  await witness.is('preview');
  await fits(page, 'preview-screen');
  await witness.recordFor(2);
  await witness.stops();
  await witness.sends();
  // A screen on which nothing moves gives pictures when it likes to.
  expect((await vidence.metadata(created)).properties.width).toBeGreaterThan(0);
  const recorded = witness.tape.bytes();
  Tape.expectWhole(await vidence.download(created), recorded);
});

test('a phone, which can’t share its screen, isn’t offered to', async ({ page, vidence }) => {
  await page.addInitScript(() => delete (MediaDevices.prototype as any).getDisplayMedia);
  const created = await vidence.create();
  const witness = new Witness(page);
  await witness.open(created.submission_url);
  await expect(witness.camera).toBeEnabled();
  await expect(witness.does('share-screen')).toHaveCount(0);
});

test('who wants no sound records none', async ({ page, vidence }) => {
  const [created, witness] = await Witness.invited(page, vidence);
  await witness.sound.click();
  await expect(witness.notice('no-audio').first()).toBeVisible();
  await witness.recordFor(2);
  await witness.stops();
  await witness.sends();
  expect((await vidence.metadata(created)).properties.has_audio).toBe(false);
});

test('a camera is chosen among several, and remembered', async ({ page, vidence }) => {
  const [, witness] = await Witness.invited(page, vidence);
  // Nothing is shown while one camera goes and the next one comes.
  const seen = () =>
    witness.live.evaluate((video: HTMLVideoElement) => {
      const shown = video.srcObject as MediaStream | null;
      return shown?.getVideoTracks()[0]?.getSettings().deviceId;
    });
  await page.getByText('Camera and microphone', { exact: true }).click();
  const cameras = witness.part('cameras');
  const first = await seen();
  expect(first).toBeTruthy();
  const other = await cameras.locator('option').evaluateAll(
    (options: HTMLOptionElement[], first) => options.map((it) => it.value).find((it) => it && it !== first)!,
    first!,
  );
  expect(other).toBeTruthy();
  await cameras.selectOption(other);
  await expect.poll(seen).toBe(other);
  await witness.recordFor(1);
  await witness.stops();
  await page.reload();
  await witness.is('review');
  await witness.recordsAgain();
  await expect.poll(seen).toBe(other);
});

test('the preview mirrors the front camera, the file doesn’t', async ({ page, context, vidence }) => {
  await frontCamera(page, 'red', 'blue');
  const [created, witness] = await Witness.invited(page, vidence);
  await expect.poll(() => colours(witness.live)).toEqual(['blue', 'red']);
  await witness.recordFor(1);
  await witness.stops();
  await expect.poll(() => colours(witness.review)).toEqual(['red', 'blue']);
  await witness.sends();
  const player = await plays(await context.newPage(), await vidence.download(created));
  expect(await colours(player)).toEqual(['red', 'blue']);
});

/** The colours that are seen left and right of a picture's middle: red, blue, or the three amounts. */
async function colours(picture: Locator): Promise<string[]> {
  const seen = await picture.screenshot();
  return picture.page().evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
    const picture = await createImageBitmap(new Blob([bytes]));
    const canvas = new OffscreenCanvas(picture.width, picture.height).getContext('2d')!;
    canvas.drawImage(picture, 0, 0);
    return [3 / 8, 5 / 8].map((x) => {
      const point = canvas.getImageData(Math.floor(picture.width * x), Math.floor(picture.height / 2), 1, 1);
      const [red, green, blue] = point.data;
      if (green < 60 && red > 180 && blue < 60) return 'red';
      return green < 60 && blue > 180 && red < 60 ? 'blue' : `${red} ${green} ${blue}`;
    });
  }, seen.toString('base64'));
}

/** A player for this video in a page that is empty besides, once it shows the first picture. */
async function plays(page: Page, bytes: Buffer): Promise<Locator> {
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
