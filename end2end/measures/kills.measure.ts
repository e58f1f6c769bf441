// How much is lost when the browser is killed at a random moment of a recording.
import type { BrowserContext, Page } from '@playwright/test';
import { Chromium } from '../support/browser/chromium.ts';
import { EmbeddedWebKit } from '../support/browser/embedded_webkit.ts';
import { TabWitness } from '../support/page/tab_witness.ts';
import { type Vidence, expect } from '../support/server/vidence.ts';
import { withTimeout } from '../support/timeout.ts';
import { Witness } from '../support/page/witness.ts';
import { QUICK, measure, percentile, table } from './report.ts';

/** The number of kills of Chromium. */
const ROUNDS = Number(process.env.VIDENCE_ROUNDS ?? (QUICK ? 5 : 100));

/** The number of kills of WebKit, which is slower. */
const WEBKIT_ROUNDS = Math.ceil(ROUNDS / 5);

/** A step that takes longer, in seconds, counts as hung. Waits for the page have timeouts of their own. */
const STEP_TIMEOUT_S = 90;

/** Lengths in milliseconds: what was recorded, and what of it the sealed video has. */
interface Round {
  recorded: number;
  safe: number;
}

measure('Chromium killed while it records', async ({ vidence }) => {
  const rounds: Round[] = [];
  let left = ROUNDS;
  const work = async () => {
    const browser = new Chromium();
    try {
      let page = await emptyPage(await browser.start());
      while (left-- > 0) {
        const moment = 500 + 7500 * Math.random();
        const [round, next] = await kill(browser, page, vidence, moment);
        rounds.push(round);
        page = next;
        // Progress: it takes a quarter of an hour.
        if (rounds.length % 10 === 0) console.log(`  ${rounds.length} of ${ROUNDS}`);
      }
    } finally {
      // If one browser fails, the other one starts no further round.
      left = 0;
      await browser.end();
    }
  };
  // Two browsers at once, for two processors. The server must outlive both.
  const ends = await Promise.allSettled([work(), work()]);
  for (const end of ends) if (end.status === 'rejected') throw end.reason;

  print('Chromium', rounds);
});

measure('WebKit killed while it records', async ({ vidence }) => {
  const webkit = await EmbeddedWebKit.start();
  const rounds: Round[] = [];
  try {
    while (rounds.length < WEBKIT_ROUNDS) {
      rounds.push(await killWebKit(webkit, vidence, 500 + 7500 * Math.random()));
      if (rounds.length % 10 === 0) console.log(`  ${rounds.length} of ${WEBKIT_ROUNDS}`);
    }
  } finally {
    await webkit.end();
  }
  print('WebKit', rounds);
});

function print(browser: string, rounds: Round[]): void {
  const missing = rounds.map(({ recorded, safe }) => recorded - safe);
  table(`${rounds.length} kills of ${browser}: milliseconds that were recorded and aren't safe`, [
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
}

/** Records, kills the browser, and measures what is left. Also returns an empty page for the next round. */
async function kill(browser: Chromium, page: Page, vidence: Vidence, moment: number): Promise<[Round, Page]> {
  const created = await vidence.createRequest();
  const before = new Witness(page);
  await withTimeout(STEP_TIMEOUT_S, 'the page', before.open(created.submission_url));
  await withTimeout(STEP_TIMEOUT_S, 'the camera', before.turnOnCamera());
  await withTimeout(STEP_TIMEOUT_S, 'the recording', before.startRecording());
  const begun = () => before.spy.recordings.length;
  await expect.poll(begun, { message: 'the start of the recorder', intervals: [10] }).toBe(1);
  const [{ startedAt }] = before.spy.recordings;
  await new Promise((done) => setTimeout(done, startedAt + moment - Date.now()));
  const recorded = Date.now() - startedAt;
  await browser.kill();

  const context = await browser.start();
  const after = new Witness(await emptyPage(context));
  await withTimeout(STEP_TIMEOUT_S, 'the page once more', after.open(created.submission_url));
  // Before the first blob nothing is stored.
  const found = after.main.and(after.page.locator('[data-state=review]'));
  const isThere = await found.waitFor({ timeout: 10_000 }).then(
    () => true,
    () => false,
  );
  if (!isThere) return [{ recorded, safe: 0 }, await emptyPage(context)];
  await withTimeout(STEP_TIMEOUT_S, 'the submission', after.submit());
  const { properties } = await withTimeout(
    STEP_TIMEOUT_S,
    'what is known of the video',
    vidence.fetchMetadata(created),
  );
  return [{ recorded, safe: properties.duration_ms }, await emptyPage(context)];
}

/** The same in WebKit. */
async function killWebKit(webkit: EmbeddedWebKit, vidence: Vidence, moment: number): Promise<Round> {
  const created = await vidence.createRequest();
  const witness = new TabWitness(webkit);
  await webkit.goto(created.submission_url);
  await webkit.evaluate(reportStart);
  await witness.turnOnCamera();
  await witness.recordFor(0);
  const begun = () => webkit.evaluate(() => (window as any).began as number | undefined);
  await expect.poll(begun, { message: 'the start of the recorder', intervals: [10] }).toBeGreaterThan(0);
  const began = (await begun())!;
  await new Promise((done) => setTimeout(done, began + moment - Date.now()));
  const recorded = Date.now() - began;
  await webkit.kill();

  webkit.open();
  await webkit.goto(created.submission_url);
  const isThere = await witness.waitForState('review', { timeout: 10_000 }).then(
    () => true,
    () => false,
  );
  if (!isThere) return { recorded, safe: 0 };
  await witness.submit();
  const { properties } = await withTimeout(
    STEP_TIMEOUT_S,
    'what is known of the video',
    vidence.fetchMetadata(created),
  );
  return { recorded, safe: properties.duration_ms };
}

/** Runs in the page, before it records. */
function reportStart(): void {
  const start = MediaRecorder.prototype.start;
  MediaRecorder.prototype.start = function (...slice) {
    this.addEventListener('start', () => ((window as any).began = Date.now()));
    return start.apply(this, slice);
  };
}

function emptyPage(context: BrowserContext): Promise<Page> {
  return withTimeout(STEP_TIMEOUT_S, 'an empty page', context.newPage());
}
