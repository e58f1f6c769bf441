// Each state of the recording page fits the screen in WebKit, too; with a picture of each on demand.
import { writeFileSync } from 'node:fs';
import { recordFailure } from '../../support/browser/engine_crash.ts';
import { WebKit, type WebKitTab } from '../../support/browser/webkit.ts';
import { PICTURES, SIZES } from '../../support/page/screens.ts';
import { TabWitness } from '../../support/page/tab_witness.ts';
import { baseTest, expect } from '../../support/server/vidence.ts';

const PROMPT = 'Show the label.\nShow the dent from the left, and hold still for a moment.\nShow the back.';

/** The layout is the same in both, so the dark one is only for pictures. */
const COLOR_SCHEMES = PICTURES ? (['light', 'dark'] as const) : (['light'] as const);

const test = baseTest.extend<{ start: (camera: boolean, scheme: 'light' | 'dark') => Promise<WebKit> }>({
  start: async ({}, use, testInfo) => {
    const started: WebKit[] = [];
    await use(async (camera, scheme) => {
      started.push(await WebKit.start(camera, scheme));
      return started.at(-1)!;
    });
    for (const webkit of started) {
      await recordFailure(testInfo, webkit.log);
      await webkit.end();
    }
  },
});

test.describe.configure({ mode: 'default', timeout: 300_000, lock: 'software encoder' });

/** Checks all sizes that fit on the display. */
async function expectFits(tab: WebKitTab, state: string, scheme: string): Promise<void> {
  for (const { width, height } of SIZES.filter(({ height }) => height < 1190)) {
    await tab.resize(width, height);
    const size = () => tab.evaluate(() => [innerWidth, innerHeight]);
    await expect.poll(size).toEqual([width, height]);
    const beyond = await tab.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(beyond, `${state}-${width}: beyond the edge`).toBeLessThanOrEqual(0);
    if (PICTURES) writeFileSync(`${PICTURES}/webkit-${state}-${width}-${scheme}.png`, await tab.screenshot());
  }
  await tab.resize(390, 844);
}

/** The reasons of a report that begin above the end of the one before. Runs in the page. */
function overlappingReasons(): string[] {
  const reasons = [...document.querySelectorAll('.report__reason')].map((reason) => {
    const range = document.createRange();
    range.selectNodeContents(reason.lastChild!);
    return { text: range.toString(), ...range.getBoundingClientRect().toJSON() };
  });
  return reasons.filter(({ top }, index) => top < reasons[index - 1]?.bottom).map(({ text }) => text);
}

for (const scheme of COLOR_SCHEMES) {
  test(`the states of a recording fit the screen, ${scheme}`, async ({ start, vidence }) => {
    const created = await vidence.createRequest(PROMPT);
    const tab = await (await start(true, scheme)).tab();
    const witness = new TabWitness(tab);
    await witness.open(created.submission_url);
    expect(await tab.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)).toBe(scheme === 'dark');
    await expectFits(tab, 'idle', scheme);
    await witness.turnOnCamera();
    await expectFits(tab, 'preview', scheme);
    await witness.recordFor(2);
    await expectFits(tab, 'recording', scheme);
    await tab.press('Pause');
    await witness.waitForState('paused');
    await expectFits(tab, 'paused', scheme);
    await tab.press('Resume');
    await witness.waitForState('recording');
    await witness.stopRecording();
    await expectFits(tab, 'review', scheme);
    await tab.press('Record again');
    await witness.waitForState('confirming-discard');
    await expectFits(tab, 'confirming-discard', scheme);
    await tab.press('Keep this one');
    await witness.submit();
    await expectFits(tab, 'submitted', scheme);
    await tab.goto(vidence.url('/r/0000000000000000000000'));
    await expectFits(tab, 'unknown', scheme);
  });

  test(`a page without a camera fits the screen, ${scheme}`, async ({ start, vidence }) => {
    const created = await vidence.createRequest(PROMPT);
    const tab = await (await start(false, scheme)).tab();
    const witness = new TabWitness(tab);
    await witness.open(created.submission_url);
    await tab.press('Open camera');
    await expect.poll(() => witness.state()).toMatch(/^blocked-/);
    await expectFits(tab, 'blocked-no-camera', scheme);
    await tab.goto(`${created.submission_url}/report`);
    await expectFits(tab, 'report', scheme);
    // WebKit keeps the height of a grid's rows when a page that was loaded becomes narrower.
    await tab.resize(1280, 800);
    await tab.goto(`${created.submission_url}/report`);
    await tab.resize(320, 568);
    expect(await tab.evaluate(overlappingReasons)).toEqual([]);
  });
}
