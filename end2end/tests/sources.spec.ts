import { expect, test } from './vidence.ts';
import { fits } from './screens.ts';
import { Tape } from './tape.ts';
import { Witness } from './witness.ts';

test('a screen is recorded and sent like a camera', async ({ page, vidence }) => {
  const created = await vidence.create();
  const witness = new Witness(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await witness.open(created.submission_url);
  await witness.does('screen').click();
  await witness.is('preview');
  await fits(page, 'preview-screen');
  await witness.recordFor(2);
  await witness.stops();
  await witness.sends();
  // A screen on which nothing moves gives pictures when it likes to.
  expect((await vidence.facts(created)).seen.width).toBeGreaterThan(0);
  const recorded = witness.tape.bytes();
  expect(Tape.within(await vidence.download(created), recorded).equals(recorded)).toBe(true);
});

test('a phone, which can’t share its screen, isn’t offered to', async ({ page, vidence }) => {
  await page.addInitScript(() => delete (MediaDevices.prototype as any).getDisplayMedia);
  const created = await vidence.create();
  const witness = new Witness(page);
  await witness.open(created.submission_url);
  await expect(witness.camera).toBeEnabled();
  await expect(witness.does('screen')).toHaveCount(0);
});

test('who wants no sound records none', async ({ page, vidence }) => {
  const [created, witness] = await Witness.invited(page, vidence);
  await witness.sound.click();
  await expect(witness.notice('is-silent').first()).toBeVisible();
  await witness.recordFor(2);
  await witness.stops();
  await witness.sends();
  expect((await vidence.facts(created)).seen.sound).toBe(false);
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
  const other = await cameras.locator('option').evaluateAll(
    (options: HTMLOptionElement[], first) => options.map((it) => it.value).find((it) => it && it !== first)!,
    first!,
  );
  await cameras.selectOption(other);
  await expect.poll(seen).toBe(other);
  await witness.recordFor(1);
  await witness.stops();
  await page.reload();
  await witness.is('review');
  await witness.recordsAgain();
  await expect.poll(seen).toBe(other);
});

test('the preview mirrors the front camera, the file doesn’t', async ({ page, vidence }) => {
  await page.addInitScript(() => {
    const real = MediaStreamTrack.prototype.getSettings;
    MediaStreamTrack.prototype.getSettings = function () {
      return { ...real.call(this), ...(this.kind === 'video' ? { facingMode: 'user' } : {}) };
    };
  });
  const [, witness] = await Witness.invited(page, vidence);
  const flipped = (video: HTMLVideoElement) => {
    const { transform, scale } = getComputedStyle(video);
    return new DOMMatrix(transform).a < 0 || scale.startsWith('-');
  };
  await expect.poll(() => witness.live.evaluate(flipped)).toBe(true);
  await witness.recordFor(1);
  await witness.stops();
  expect(await witness.review.evaluate(flipped)).toBe(false);
});
