// What a person has filmed stays theirs, whatever others, devices and networks do.
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { hangingPage, loseMicrophone, losingStore, pull, pullable, wishesFor } from './devices.ts';
import { fits } from './screens.ts';
import { Tape } from './tape.ts';
import { type Created, type Vidence, expect, test } from './vidence.ts';
import { Witness } from './witness.ts';

test('who was not first keeps the recording, to watch and to save', async ({ page, browser, vidence }) => {
  const created = await vidence.create();
  const second = new Witness(page);
  await second.open(created.submission_url);
  await second.turnOnCamera();
  await second.recordFor(2);
  await second.stops();
  await send(await browser.newPage(), created);

  await second.is('ended-submitted');
  await expect(page.getByRole('heading', { name: 'A video was already sent' })).toBeInViewport();
  await expect(second.notice('has-clip').first()).toBeVisible();
  await second.review.evaluate((video: HTMLVideoElement) => video.play());
  await second.plays(1);
  await fits(page, 'ended-submitted-kept');
  expect(await saved(second)).toEqual(second.tape.bytes());
  // And only here: a closed link leaves nothing on the device, so leaving is asked about.
  await expect.poll(() => second.kept()).toBe(0);
  const asked = page.waitForEvent('dialog');
  await page.close({ runBeforeUnload: true });
  await (await asked).accept();
});

test('a request that is withdrawn in the middle of a recording leaves the clip with the person', async ({
  page,
  vidence,
}) => {
  const [created, witness] = await Witness.invited(page, vidence);
  await witness.recordFor(3);
  await vidence.as(created, `/v1/requests/${created.id}`, { method: 'DELETE' });
  await witness.is('ended-withdrawn');
  const clip = await saved(witness);
  await witness.tape.ends();
  expect(clip).toEqual(witness.tape.bytes());
});

test('Send is remembered over a reload', async ({ page, vidence }) => {
  const [created, witness] = await sendsIntoNothing(page, vidence);
  page.on('dialog', (dialog) => dialog.accept());
  await page.reload();
  await witness.is('submitting');
  await page.unrouteAll();
  await witness.is('submitted');
  const recorded = witness.tape.bytes();
  Tape.expectWhole(await vidence.download(created), recorded);
});

test('Send can be taken back while it can’t be sent, and is not remembered then', async ({ page, vidence }) => {
  const [created, witness] = await sendsIntoNothing(page, vidence);
  await fits(page, 'submitting-waiting');
  expect(await saved(witness)).toEqual(witness.tape.bytes());
  await witness.does('cancel-submit').click();
  await witness.is('review');
  page.on('dialog', (dialog) => dialog.accept());
  await page.unrouteAll();
  await page.reload();
  await witness.is('review');
  await expect(witness.notice('complete').first()).toBeVisible();
  expect((await vidence.status(created)).status).toBe('awaiting_submission');
});

test('Send that is taken back too late, and the recording thrown away, is told as what it is', async ({
  page,
  vidence,
}) => {
  const [created, witness] = await Witness.invited(page, vidence);
  // The server has it, and the page doesn't hear so.
  await page.route('**/submission', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await witness.recordFor(1);
  await witness.stops();
  await expect(witness.notice('complete').first()).toBeVisible();
  await page.route('**/state*', (route) => route.abort());
  await witness.send.click();
  await expect.poll(async () => (await vidence.status(created)).status).toBe('submitted');
  await witness.does('cancel-submit').click();
  await witness.is('review');
  await witness.again.click();
  await page.unroute('**/state*');
  await witness.yesAgain.click();
  await witness.is('submitted');
  // The camera stays off.
  const live = page.locator('[data-element=live]');
  expect(await live.evaluate((video: HTMLVideoElement) => video.srcObject === null)).toBe(true);
  const recorded = witness.tape.bytes();
  Tape.expectWhole(await vidence.download(created), recorded);
});

test('what is recorded without a network from the start is as long and as large as it is', async ({
  page,
  vidence,
}) => {
  await page.route('**/takes', (route) => route.abort());
  const [, witness] = await Witness.invited(page, vidence);
  await witness.recordFor(4);
  await witness.stops();
  expect(await witness.seconds('recorded')).toBeGreaterThanOrEqual(3);
  // Rounded up, as the page does.
  const tenths = Math.ceil(witness.tape.bytes().length / 1e5);
  await expect(witness.figure('size')).toHaveText(`${(tenths / 10).toFixed(1)} MB`);
});

test('a take that is rejected without a network is deleted on the server once there is one', async ({
  page,
  vidence,
}) => {
  const [created, witness] = await Witness.invited(page, vidence);
  await witness.recordFor(2);
  await witness.stops();
  await expect(witness.notice('complete').first()).toBeVisible();
  await page.route('**/takes/*', (route) => route.abort());
  await witness.recordsAgain();
  await page.unrouteAll();
  await page.reload();
  await expect.poll(async () => (await vidence.state(created)).takes).toEqual([]);
});

test('a microphone that is the trouble changes neither camera nor resolution', async ({ page, vidence }) => {
  const wishes = await wishesFor(page, (wish) => !wish.audio);
  const [, witness] = await Witness.invited(page, vidence);
  await expect(witness.notice('no-audio').first()).toBeVisible();
  const { video } = (await wishes()).at(-1) as { video: MediaTrackConstraints };
  expect(video).toMatchObject({ facingMode: { ideal: 'environment' }, width: { ideal: 1280 }, height: { ideal: 720 } });
});

test('sound is recorded as it is', async ({ page, vidence }) => {
  const wishes = await wishesFor(page, () => true);
  const [, witness] = await Witness.invited(page, vidence);
  const untouched = { noiseSuppression: false, echoCancellation: false };
  expect((await wishes()).at(-1)).toMatchObject({ audio: untouched });
  const settings = await witness.live.evaluate((video: HTMLVideoElement) => {
    return (video.srcObject as MediaStream).getAudioTracks()[0]?.getSettings();
  });
  expect(settings).toMatchObject(untouched);
});

test('a headset that dies ends no recording, and the person is told', async ({ page, vidence }) => {
  await pullable(page);
  const [created, witness] = await Witness.invited(page, vidence);
  await witness.recordFor(1);
  await loseMicrophone(page);
  await expect(witness.notice('audio-lost').first()).toBeVisible();
  await witness.reaches((await witness.seconds('recorded')) + 3);
  await fits(page, 'recording-sound-lost');
  await witness.stops();
  await expect(witness.notice('interrupted')).toHaveCount(0);
  await witness.sends();
  expect((await vidence.metadata(created)).properties.duration_ms).toBeGreaterThan(3000);
});

test('who stops sharing the screen has stopped the recording, and wasn’t interrupted', async ({ page, vidence }) => {
  await pullable(page);
  const created = await vidence.create();
  const witness = new Witness(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await witness.open(created.submission_url);
  await witness.does('share-screen').click();
  await witness.is('preview');
  await witness.recordFor(2);
  await pull(page);
  await witness.is('review');
  await expect(witness.notice('interrupted')).toHaveCount(0);
});

test('a dialog that holds up the page for long ends no recording', async ({ page, vidence }) => {
  const [, witness] = await Witness.invited(page, vidence);
  await witness.recordFor(1);
  await hangingPage(page, 18_000);
  await witness.reaches((await witness.seconds('recorded')) + 3);
  await witness.is('recording');
  await witness.stops();
  await expect(witness.notice('interrupted')).toHaveCount(0);
});

test('a store that the browser closes is opened again, and has all of the recording', async ({ page, vidence }) => {
  const close = await losingStore(page);
  const [created, witness] = await Witness.invited(page, vidence);
  await witness.recordFor(2);
  await close();
  await witness.reaches((await witness.seconds('recorded')) + 2);
  await witness.stops();
  await witness.isKept();
  await expect(witness.notice('memory-only')).toHaveCount(0);
  page.on('dialog', (dialog) => dialog.accept());
  await page.reload();
  await witness.is('review');
  await expect(witness.notice('interrupted')).toHaveCount(0);
  await witness.plays(3);
  await witness.sends();
  const recorded = witness.tape.bytes();
  Tape.expectWhole(await vidence.download(created), recorded);
});

test('what was recorded is shown though the server never says how all stands', async ({ page, vidence }) => {
  const [, witness] = await Witness.invited(page, vidence);
  await witness.recordFor(2);
  await witness.stops();
  await expect(witness.notice('complete').first()).toBeVisible();
  await page.route('**/state?*', () => {});
  await page.reload();
  await expect(witness.main).toHaveAttribute('data-state', 'review', { timeout: 5_000 });
  await witness.plays(1);
});

for (const [when, seconds, counts] of [
  ['a minute', 60, true],
  ['an hour', 3600, false],
] as const) {
  test(`a line that was slow ${when} ago ${counts ? 'is' : 'isn’t'} taken for slow`, async ({ page, vidence }) => {
    await page.addInitScript((seconds) => {
      localStorage.setItem('vidence.line', `300000 ${Math.floor(Date.now() / 1000) - seconds}`);
      const start = MediaRecorder.prototype.start;
      MediaRecorder.prototype.start = function (...slice) {
        (window as any).rate = this.videoBitsPerSecond;
        return start.apply(this, slice);
      };
    }, seconds);
    const [, witness] = await Witness.invited(page, vidence);
    await witness.begins();
    const rate = await page.evaluate(() => (window as any).rate);
    // Less than the best is what the browser itself guesses of this line.
    if (counts) expect(rate).toBeLessThanOrEqual(LEAST_RATE);
    else expect(rate).toBeGreaterThan(LEAST_RATE);
  });
}

test('a person with something to send is told shortly before the link closes', async ({
  page,
  database,
  videnceOnPostgres: vidence,
}) => {
  const created = await vidence.create();
  database.expire(created, 240);
  const witness = new Witness(page);
  await witness.open(created.submission_url);
  await witness.turnOnCamera();
  await witness.recordFor(1);
  await witness.stops();
  await expect(witness.notice('closes-soon').first()).toBeVisible();
  await fits(page, 'review-closes-soon');
});

/** The picture's bits a second on a line of 300 kbit/s. */
const LEAST_RATE = 500_000;

/** Another person records and sends. */
async function send(page: Page, created: Created): Promise<void> {
  const witness = new Witness(page);
  await witness.open(created.submission_url);
  await witness.turnOnCamera();
  await witness.recordFor(1);
  await witness.stops();
  await witness.sends();
  await page.close();
}

/** A person presses Send while no part of the recording arrives. */
async function sendsIntoNothing(page: Page, vidence: Vidence): Promise<[Created, Witness]> {
  await page.route('**/takes/*', (route) => route.abort());
  const [created, witness] = await Witness.invited(page, vidence);
  await witness.recordFor(2);
  await witness.stops();
  await witness.isKept();
  await witness.send.click();
  await witness.is('submitting');
  return [created, witness];
}

/** What the page saves as a file. */
async function saved(witness: Witness): Promise<Buffer> {
  const saving = witness.page.waitForEvent('download');
  await witness.does('save').click();
  return readFileSync(await (await saving).path());
}
