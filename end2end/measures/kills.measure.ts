// What is lost when the browser is gone at any moment of a recording.
import type { Page } from '@playwright/test';
import { Chromium } from '../tests/chromium.ts';
import type { Vidence } from '../tests/vidence.ts';
import { Witness } from '../tests/witness.ts';
import { QUICK, measure, percentile, table } from './report.ts';

const ROUNDS = Number(process.env.VIDENCE_ROUNDS ?? (QUICK ? 5 : 100));

/** In milliseconds. */
interface Round {
  recorded: number;
  safe: number;
}

measure('browsers killed while they record', async ({ vidence }) => {
  const rounds: Round[] = [];
  let left = ROUNDS;
  const work = async () => {
    const browser = new Chromium();
    try {
      let page = await (await browser.start()).newPage();
      while (left-- > 0) {
        const moment = 500 + 7500 * Math.random();
        const [round, next] = await kill(browser, page, vidence, moment);
        rounds.push(round);
        page = next;
      }
    } finally {
      await browser.end();
    }
  };
  // Two processors, two at once.
  await Promise.all([work(), work()]);

  const missing = rounds.map(({ recorded, safe }) => recorded - safe);
  table(`${ROUNDS} kills: milliseconds that were recorded and aren't safe`, [
    ['', 'ms', 'aim'],
    ['least', Math.min(...missing), ''],
    ['p50', percentile(missing, 50), ''],
    ['p95', percentile(missing, 95), ''],
    ['most', Math.max(...missing), '≤ 2000'],
  ]);
  const steps = Array.from({ length: 12 }, (_, step) => 250 * step);
  const within = (step: number) => missing.filter((it) => it >= step && it < step + 250).length;
  table('How they are distributed', [
    ['ms', 'rounds', ''],
    ['below 0', missing.filter((it) => it < 0).length, ''],
    ...steps.map((step) => [`${step}–${step + 250}`, within(step), '█'.repeat(within(step))]),
    ['more', missing.filter((it) => it >= 3000).length, ''],
  ]);
  for (const { recorded, safe } of rounds.filter((it) => it.recorded - it.safe > 2000)) {
    console.log(`  of ${recorded} ms ${safe} were safe`);
  }
});

/** Records, pulls the plug, and looks what is there afterwards; and an empty page for the next round. */
async function kill(browser: Chromium, page: Page, vidence: Vidence, moment: number): Promise<[Round, Page]> {
  const created = await vidence.create();
  const before = new Witness(page);
  await before.open(created.submission_url);
  await before.turnOnCamera();
  await before.begins();
  while (before.tape.reels.length === 0) await page.waitForTimeout(10);
  const [{ began }] = before.tape.reels;
  await page.waitForTimeout(Math.max(0, began + moment - Date.now()));
  const recorded = Date.now() - began;
  await browser.kill();

  const context = await browser.start();
  const after = new Witness(await context.newPage());
  await after.open(created.submission_url);
  // Before the first piece there is nothing to find.
  const found = after.main.and(after.page.locator('[data-state=review]'));
  const isThere = await found.waitFor({ timeout: 10_000 }).then(
    () => true,
    () => false,
  );
  if (!isThere) return [{ recorded, safe: 0 }, await context.newPage()];
  await after.sends();
  const { seen } = await vidence.facts(created);
  return [{ recorded, safe: seen.duration_ms }, await context.newPage()];
}
