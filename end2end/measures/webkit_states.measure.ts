// WebKit's layout of each state that the tests have shown in Chromium. Videos are black: their frames aren't kept.
import { writeFileSync } from 'node:fs';
import { expect } from '@playwright/test';
import { WebKit } from '../support/browser/webkit.ts';
import { KeptPages } from '../support/page/kept_pages.ts';
import { PICTURES, SIZES } from '../support/page/screens.ts';
import { measure, table } from './report.ts';

/** Phones, a tablet and a laptop. Higher ones don't fit on the display. */
const SHOWN = SIZES.filter(({ height }) => height >= 390 && height < 1190);

measure('the states of all pages in WebKit', async ({ vidence }) => {
  measure.skip(!PICTURES, 'VIDENCE_SCREENSHOTS names no folder with pages that the tests have kept');
  const kept = new KeptPages(PICTURES!, vidence);
  await kept.start();
  const rows: (string | number)[][] = [['state', 'pixels beyond the edge']];
  try {
    for (const scheme of ['light', 'dark'] as const) {
      const webkit = await WebKit.start(false, scheme);
      try {
        const tab = await webkit.tab();
        for (const state of kept.states()) {
          await kept.open(tab, state);
          for (const { width, height } of SHOWN) {
            await tab.resize(width, height);
            await expect.poll(() => tab.evaluate(() => [innerWidth, innerHeight])).toEqual([width, height]);
            const beyond = await tab.evaluate(() => document.documentElement.scrollWidth - innerWidth);
            if (beyond > 0) rows.push([`${state}-${width}x${height}-${scheme}`, beyond]);
            writeFileSync(`${PICTURES}/webkit-${state}-${width}x${height}-${scheme}.png`, await tab.screenshot());
          }
        }
      } finally {
        await webkit.end();
      }
    }
  } finally {
    kept.stop();
  }
  table(`${kept.states().length} states in WebKit`, rows);
});
