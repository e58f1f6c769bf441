import { Chromium } from './chromium.ts';
import { hasStray, lose, oneByte, renderedLater, room, silentStore, stray, unreadable, wrongClock } from './devices.ts';
import { MEGABIT } from './line.ts';
import { fits } from './screens.ts';
import { Tape } from './tape.ts';
import { type Created, type Vidence, expect, test } from './vidence.ts';
import { Witness } from './witness.ts';

test('a recording whose tab crashes is safe but for two seconds, and can be sent from another', async ({
  page,
  context,
  vidence,
}) => {
  const [created, before] = await Witness.invited(page, vidence);
  await before.recordFor(4);
  const crashed = page.waitForEvent('crash');
  const devtools = await context.newCDPSession(page);
  // It answers no more.
  void devtools.send('Page.crash').catch(() => {});
  await crashed;

  const witness = new Witness(await context.newPage());
  await witness.open(created.submission_url);
  await witness.is('review');
  await expect(witness.notice('recovered')).toHaveText(/0:0[3-9] is safe/);
  await expect(witness.notice('complete').first()).toBeVisible();
  await witness.plays(2);
  await fits(witness.page, 'review-resumed');
  await witness.sends();
  await holds(vidence, created, before.tape);
});

test('a reload during a recording loses nothing that the recorder has handed out', async ({ page, vidence }) => {
  const [created, witness] = await Witness.invited(page, vidence);
  await witness.recordFor(4);
  // The page shows more than was handed out.
  await expect.poll(() => witness.tape.seconds(Infinity)).toBeGreaterThan(4);
  const recorded = witness.tape.bytes();
  page.on('dialog', (dialog) => dialog.accept());
  // The second time it is read as it was left by the first.
  for (let time = 0; time < 2; time++) {
    await page.reload();
    await witness.is('review');
    await expect(witness.notice('interrupted').first()).toBeVisible();
    await witness.plays(2);
    await witness.isKept();
  }
  await witness.sends();
  const safe = Tape.within(await vidence.download(created), recorded);
  // What was handed out later may be there, too. Chromium hands out a frame's first byte early: alone it is no frame.
  const common = Math.min(safe.length, recorded.length);
  expect(common).toBeGreaterThanOrEqual(recorded.length - 1);
  expect(safe.subarray(0, common).equals(recorded.subarray(0, common))).toBe(true);
  await holds(vidence, created, witness.tape);
});

test('what was never sent outlives a reload, plays, and is sent by itself', async ({ page, vidence }) => {
  await page.route('**/takes**', (route) => route.abort());
  await page.route('**/takes/*', (route) => route.abort());
  const [created, witness] = await Witness.invited(page, vidence);
  await witness.recordFor(3);
  await witness.stops();
  await witness.isKept();
  expect(await vidence.committed(created)).toBe(0);
  page.on('dialog', (dialog) => dialog.accept());
  await page.reload();
  await witness.is('review');
  const length = await witness.plays(2);
  const middle = await witness.review.evaluate(async (video: HTMLVideoElement, to) => {
    const sought = new Promise((done) => video.addEventListener('seeked', done, { once: true }));
    video.currentTime = to;
    await sought;
    return video.currentTime;
  }, length / 2);
  expect(middle).toBeCloseTo(length / 2, 1);

  await page.unrouteAll();
  await expect(witness.notice('complete').first()).toBeVisible({ timeout: 40_000 });
  await witness.sends();
  const recorded = witness.tape.bytes();
  Tape.expectWhole(await vidence.download(created), recorded);
});

test('what a browser has lost from the middle ends the recording there', async ({ page, vidence }) => {
  await page.route('**/takes**', (route) => route.abort());
  await page.route('**/takes/*', (route) => route.abort());
  const [created, witness] = await Witness.invited(page, vidence);
  await witness.recordFor(4);
  await witness.stops();
  await witness.isKept();
  await lose(page, 3);
  page.on('dialog', (dialog) => dialog.accept());
  await page.reload();
  await witness.is('review');
  await expect(witness.notice('interrupted').first()).toBeVisible();

  await page.unrouteAll();
  await expect(witness.notice('complete').first()).toBeVisible({ timeout: 40_000 });
  await witness.sends();
  const [{ pieces }] = witness.tape.reels;
  const before = Buffer.concat(pieces.slice(0, 3).map((piece) => piece.bytes));
  const safe = Tape.within(await vidence.download(created), before);
  // Without the frame that the loss has cut in two.
  expect(safe.equals(before.subarray(0, safe.length))).toBe(true);
  expect(safe.length).toBeGreaterThan(before.length - pieces[2].bytes.length);
});

test('a recording outlives its browser, whose battery was empty, but for two seconds', async ({ vidence, line }) => {
  const browser = new Chromium();
  try {
    const created = await vidence.create();
    const before = new Witness(await (await browser.start()).newPage());
    await before.open(line.url(`/r/${created.id}`));
    await before.turnOnCamera();
    // So that much of it is on this device alone.
    line.limit(MEGABIT / 4);
    await before.recordFor(6);
    await browser.kill();
    line.limit(Infinity);

    const witness = new Witness(await (await browser.start()).newPage());
    await witness.open(line.url(`/r/${created.id}`));
    await witness.is('review');
    await expect(witness.notice('complete').first()).toBeVisible();
    await witness.sends();
    await holds(vidence, created, before.tape);
  } finally {
    await browser.end();
  }
});

test('a take that was kept is thrown away everywhere when it is recorded again', async ({ page, vidence }) => {
  const [created, witness] = await Witness.invited(page, vidence);
  await witness.recordFor(2);
  await witness.stops();
  await expect(witness.notice('complete').first()).toBeVisible();
  page.on('dialog', (dialog) => dialog.accept());
  await page.reload();
  await witness.is('review');
  await witness.recordsAgain();
  await expect.poll(async () => (await vidence.state(created)).takes).toEqual([]);
  await page.reload();
  await expect(witness.camera).toBeEnabled();
  await witness.is('idle');
  await expect.poll(() => witness.kept()).toBe(0);
});

test('a recording that ended before it held a picture is none', async ({ page, vidence }) => {
  await oneByte(page);
  const [created, witness] = await Witness.invited(page, vidence);
  await witness.begins();
  await expect.poll(() => vidence.committed(created)).toBe(1);
  await expect.poll(() => witness.kept()).toBeGreaterThan(1);
  page.on('dialog', (dialog) => dialog.accept());
  await page.reload();
  await expect(witness.camera).toBeEnabled();
  await witness.is('idle');
  expect(await witness.kept()).toBe(0);
  await expect.poll(async () => (await vidence.state(created)).takes).toEqual([]);
});

test('what can’t be read on one visit is there on the next', async ({ page, context, vidence }) => {
  // So that it is on this device alone.
  await page.route('**/takes', (route) => route.abort());
  const [created, before] = await Witness.invited(page, vidence);
  await before.recordFor(3);
  await before.stops();
  await before.isKept();
  await page.close();

  const blind = new Witness(await context.newPage());
  await unreadable(blind.page);
  await blind.open(created.submission_url);
  await expect(blind.camera).toBeEnabled();
  await blind.is('idle');
  // Not in the place of what is there.
  await blind.turnOnCamera();
  await blind.recordFor(1);
  await blind.stops();
  await blind.page.close();

  const witness = new Witness(await context.newPage());
  await witness.open(created.submission_url);
  await witness.is('review');
  await witness.plays(2);
  await witness.sends();
  const recorded = before.tape.bytes();
  Tape.expectWhole(await vidence.download(created), recorded);
});

test('a store that is opened and never answers holds nobody up', async ({ page, vidence }) => {
  await silentStore(page);
  const created = await vidence.create();
  const witness = new Witness(page);
  await witness.open(created.submission_url);
  await expect(witness.camera).toBeEnabled({ timeout: 8000 });
  await witness.turnOnCamera();
  await expect(witness.notice('memory-only').first()).toBeVisible();
  await witness.recordFor(1);
  await witness.stops();
  await witness.sends();
  const recorded = witness.tape.bytes();
  Tape.expectWhole(await vidence.download(created), recorded);
});

test('a device that is full lets go of what is safe, and sends the rest after a reload', async ({ page, vidence }) => {
  await room(page, 8);
  const [created, witness] = await Witness.invited(page, vidence);
  await witness.begins();
  const pieces = () => witness.tape.reels[0]?.pieces.length;
  await expect.poll(pieces, { timeout: 30_000 }).toBeGreaterThan(9);
  expect(await witness.kept()).toBeLessThan(9);
  // What follows is on this device alone, and the device has room for it.
  await page.route('**/takes/*', (route) => route.abort());
  await expect(witness.notice('retrying').first()).toBeVisible();
  await witness.stops();
  await witness.isKept();
  await expect(witness.notice('memory-only')).toHaveCount(0);
  page.on('dialog', (dialog) => dialog.accept());
  await page.reload();

  await witness.is('review');
  await expect(witness.notice('no-preview').first()).toBeVisible();
  await expect(witness.review).toHaveCount(0);
  await expect(witness.notice('complete')).toHaveCount(0);
  await fits(page, 'review-no-preview');
  await page.unrouteAll();
  await witness.sends();
  const recorded = witness.tape.bytes();
  Tape.expectWhole(await vidence.download(created), recorded);
});

test('a device that is too full to note what it lets go of lets go of nothing', async ({ page, vidence }) => {
  await room(page, 8, true);
  const [created, witness] = await Witness.invited(page, vidence);
  await witness.begins();
  const pieces = () => witness.tape.reels[0]?.pieces.length;
  await expect.poll(pieces, { timeout: 30_000 }).toBeGreaterThan(9);
  await expect(witness.notice('memory-only').first()).toBeVisible();
  await witness.stops();
  await expect(witness.notice('complete').first()).toBeVisible();
  await page.reload();
  await witness.is('review');
  await expect(witness.notice('interrupted').first()).toBeVisible();
  // What is kept is its beginning.
  await witness.plays(2);
  await witness.sends();
  const recorded = witness.tape.bytes();
  Tape.expectWhole(await vidence.download(created), recorded);
});

for (const [how, hours] of [
  ['behind', -30],
  ['ahead', 30],
] as const) {
  test(`a clock that is hours ${how} keeps a recording until its link closes`, async ({ page, context, vidence }) => {
    await wrongClock(page, hours);
    const [created, witness] = await Witness.invited(page, vidence);
    await witness.recordFor(3);
    await expect(witness.notice('last-minute')).toHaveCount(0);
    await witness.stops();
    await expect(witness.notice('complete').first()).toBeVisible();
    await page.close();
    // Put right meanwhile.
    const again = new Witness(await context.newPage());
    await again.open(created.submission_url);
    await again.is('review');
    await again.plays(2);

    // Another link, whose page looks through what is kept.
    const { submission_url } = await vidence.create();
    const left = (Date.parse(created.expires_at) - Date.now()) / 3_600_000;
    for (const [later, isKept] of [
      [left - 0.1, true],
      [left + 0.1, false],
    ] as const) {
      await stray(again.page);
      const other = new Witness(await context.newPage());
      await wrongClock(other.page, hours);
      await renderedLater(other.page, later);
      await other.open(submission_url);
      await expect(other.camera).toBeEnabled();
      // It tidies up once the person can begin, and last what belongs to nothing.
      await expect.poll(() => hasStray(other.page)).toBe(false);
      expect((await other.kept()) > 0).toBe(isKept);
      await other.page.close();
    }
  });
}

/** The submitted video is what was recorded up to the end, of which at most two seconds are missing. */
async function holds(vidence: Vidence, created: Created, tape: Tape): Promise<void> {
  const recorded = tape.bytes();
  const safe = Tape.within(await vidence.download(created), recorded);
  const common = Math.min(safe.length, recorded.length);
  expect(safe.subarray(0, common).equals(recorded.subarray(0, common))).toBe(true);
  expect(tape.seconds(recorded.length) - tape.seconds(safe.length)).toBeLessThanOrEqual(2);
}
