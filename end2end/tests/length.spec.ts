import { expect, test } from './vidence.ts';
import { fits } from './screens.ts';
import { Tape } from './tape.ts';
import { Witness } from './witness.ts';

test('a pause isn’t part of the video', async ({ page, vidence }) => {
  const [created, witness] = await Witness.invited(page, vidence);
  await witness.recordFor(2);
  await witness.pause.click();
  await witness.is('paused');
  const paused = Date.now();
  const pauses = () => (Date.now() - paused) / 1000;
  await fits(page, 'paused');
  // What was recorded until a busy browser had paused is shown by now.
  const shown = await witness.seconds('recorded');
  const seen = pauses();
  // Long enough to be missed.
  await expect.poll(pauses).toBeGreaterThan(seen + 3);
  expect(await witness.seconds('recorded')).toBe(shown);
  await witness.goOn.click();
  const pause = pauses();
  await witness.reaches(shown + 2);
  await witness.stops();
  await witness.sends();

  const [{ began, ended }] = witness.tape.reels;
  const around = (ended! - began) / 1000;
  const { duration_ms } = (await vidence.metadata(created)).properties;
  expect(Math.abs(duration_ms / 1000 - (around - pause))).toBeLessThan(2);
});

test('a recording can be ended while it pauses', async ({ page, vidence }) => {
  const [created, witness] = await Witness.invited(page, vidence);
  await witness.recordFor(1);
  await witness.pause.click();
  await witness.is('paused');
  await witness.stops();
  await witness.plays(0.5);
  await witness.sends();
  expect((await vidence.status(created)).status).toBe('submitted');
});

test('nothing is recorded while it counts down', async ({ page, vidence }) => {
  const [created, witness] = await Witness.invited(page, vidence);
  const countdown = await witness.main.evaluateHandle((main: HTMLElement) => {
    const times: number[] = [];
    const look = () => main.dataset.state === 'countdown' && times.push(Date.now());
    new MutationObserver(look).observe(main, { attributeFilter: ['data-state'] });
    return times;
  });
  await witness.record.click();
  await witness.is('recording');
  await witness.reaches(1);
  await witness.stops();
  await witness.sends();
  const { properties } = await vidence.metadata(created);
  const [{ began, ended }] = witness.tape.reels;
  // It counts down from three; timers may be a little early.
  const [startedAt] = await countdown.jsonValue();
  expect(began - startedAt).toBeGreaterThan(2900);
  expect(properties.duration_ms).toBeLessThan(ended! - began + 500);
});

test.describe('where a recording may be short', () => {
  // At the most that is recorded in a second, that are 12 seconds.
  test.use({ flags: ['--max-video-bytes', '4000000'] });

  test('in its last minute the page warns, and at its end it keeps what there is', async ({ page, vidence }) => {
    test.setTimeout(240_000);
    const [created, witness] = await Witness.invited(page, vidence);
    await witness.recordFor(1);
    await expect(witness.notice('last-minute').first()).toBeVisible({ timeout: 60_000 });
    const left = await witness.seconds('left');
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(60);
    // Nobody stops it.
    await expect(witness.main).toHaveAttribute('data-state', 'review', { timeout: 90_000 });
    await expect(witness.notice('interrupted').first()).toBeVisible();
    await witness.plays(5);
    await fits(page, 'review-longest');
    await witness.sends();
    const recorded = witness.tape.bytes();
    expect(recorded.length).toBeLessThanOrEqual(4_000_000);
    Tape.expectWhole(await vidence.download(created), recorded);
  });
});
