import { busyOnce, covered, deaf, humming, noLocks, noMicrophone, pull, pullable } from './devices.ts';
import { film } from './film.ts';
import { fits } from './screens.ts';
import { Tape } from './tape.ts';
import { type Created, type Vidence, expect, test } from './vidence.ts';
import { Witness } from './witness.ts';

test('a camera that another program has is asked again without a reload', async ({ page, vidence }) => {
  await busyOnce(page);
  const created = await vidence.create();
  const witness = new Witness(page);
  await witness.open(created.submission_url);
  await page.evaluate(() => ((window as any).sameVisit = true));
  await witness.camera.click();
  await witness.is('blocked-busy');
  await expect(page.getByRole('heading', { name: 'The camera is in use' })).toBeVisible();
  await expect(witness.file).toBeEnabled();
  await fits(page, 'busy');
  await witness.retry.click();
  await witness.is('preview');
  expect(await page.evaluate(() => (window as any).sameVisit)).toBe(true);
});

test('a camera that is pulled ends the recording, and what was recorded is kept', async ({ page, vidence }) => {
  await pullable(page);
  const [created, witness] = await Witness.invited(page, vidence);
  await witness.recordFor(3);
  await pull(page);
  await witness.is('review');
  await expect(witness.notice('interrupted').first()).toBeVisible();
  await witness.plays(2);
  await fits(page, 'review-interrupted');
  await witness.sends();
  const recorded = witness.tape.bytes();
  Tape.expectWhole(await vidence.download(created), recorded);
});

test('a camera that is pulled before the recording is asked for again', async ({ page, vidence }) => {
  await pullable(page);
  const [, witness] = await Witness.invited(page, vidence);
  await pull(page);
  await witness.is(/^blocked-/);
  await witness.retry.click();
  await witness.is('preview');
});

test('without a microphone a video has no sound, and the page says so', async ({ page, vidence }) => {
  await noMicrophone(page);
  const [created, witness] = await Witness.invited(page, vidence);
  await expect(witness.notice('no-audio').first()).toBeVisible();
  await fits(page, 'preview-silent');
  await witness.recordFor(2);
  await witness.stops();
  await witness.sends();
  expect((await vidence.metadata(created)).properties.has_audio).toBe(false);
});

test('a microphone that hears nothing is noticed before the recording', async ({ page, vidence }) => {
  await deaf(page);
  const [, witness] = await Witness.invited(page, vidence);
  await expect(witness.notice('silent').first()).toBeVisible();
  await fits(page, 'preview-unheard');
});

test('a microphone that hears moves the meter', async ({ page, vidence }) => {
  await humming(page);
  const [, witness] = await Witness.invited(page, vidence);
  await expect
    .poll(() => witness.part('audio-level').evaluate((meter: HTMLMeterElement) => meter.value), { intervals: [50] })
    .toBeGreaterThan(0.05);
  await expect(witness.notice('silent')).toHaveCount(0);
});

test('a covered camera is noticed before the recording', async ({ page, vidence }) => {
  await covered(page);
  const [, witness] = await Witness.invited(page, vidence);
  await expect(witness.notice('dark').first()).toBeVisible();
  await fits(page, 'preview-dark');
});

test('a page that is not secure explains why there is no camera, and takes a file', async ({
  page,
  vidence,
  complaints,
}) => {
  const created = await vidence.create();
  const address = new URL(created.submission_url);
  address.hostname = 'insecure.test';
  const witness = new Witness(page);
  await witness.open(address.href);
  if (await witness.camera.isVisible()) await witness.camera.click();
  await witness.is('blocked-insecure');
  await expect(page.getByRole('heading', { name: 'The camera needs a secure address' })).toBeVisible();
  await fits(page, 'insecure');
  await sendsFile(vidence, created, witness);
  // Which Chromium says at each visit, and nothing else.
  await expect.poll(() => complaints.length).toBeGreaterThan(0);
  for (const complaint of complaints.splice(0)) {
    expect(complaint).toContain('The Cross-Origin-Opener-Policy header has been ignored');
  }
});

test('a browser that can’t record is told which can, and takes a file', async ({ page, vidence }) => {
  await page.addInitScript(() => {
    Object.defineProperty(globalThis, 'MediaRecorder', { value: undefined });
  });
  const created = await vidence.create();
  const witness = new Witness(page);
  await witness.open(created.submission_url);
  if (await witness.camera.isVisible()) await witness.camera.click();
  await witness.is('blocked-unsupported');
  const advice = 'Copy the link and open it in an up-to-date Safari, Chrome or Firefox.';
  await expect(page.getByText(advice)).toBeVisible();
  await expect(witness.does('copy')).toBeEnabled();
  await fits(page, 'unsupported');
  await sendsFile(vidence, created, witness);
});

test('a browser that keeps nothing says that the recording lives as long as the page', async ({ page, vidence }) => {
  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('not in private windows', 'SecurityError');
    };
  });
  const [created, witness] = await Witness.invited(page, vidence);
  await witness.recordFor(2);
  const warning = 'This browser can’t store your recording: keep this page open until the video is sent.';
  await expect(witness.notice('memory-only').first()).toHaveText(warning);
  await witness.stops();
  await witness.sends();
  const recorded = witness.tape.bytes();
  Tape.expectWhole(await vidence.download(created), recorded);
});

test('a browser that gives a site no locks records and sends all the same', async ({ page, vidence }) => {
  await noLocks(page);
  const [created, witness] = await Witness.invited(page, vidence);
  await witness.recordFor(1);
  await witness.stops();
  await witness.sends();
  const recorded = witness.tape.bytes();
  Tape.expectWhole(await vidence.download(created), recorded);
});

async function sendsFile(vidence: Vidence, created: Created, witness: Witness): Promise<void> {
  const bytes = film();
  await witness.file.setInputFiles({ name: 'IMG_0001.MOV', mimeType: 'video/quicktime', buffer: bytes });
  await witness.is('review');
  await witness.sends();
  expect((await vidence.download(created)).includes(bytes)).toBe(true);
}
