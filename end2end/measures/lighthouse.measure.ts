// Lighthouse's scores of the recording page on a phone.
import lighthouse from 'lighthouse';
import { Chromium } from '../support/browser/chromium.ts';
import { QUICK, measure, percentile, table } from './report.ts';

const RUNS = QUICK ? 1 : 5;

const AIMS: Record<string, string> = {
  accessibility: '100',
  performance: '100',
  'best-practices': '100',
  // The page is `noindex`, which Lighthouse counts as a mistake.
  seo: '',
};

measure('Lighthouse, on a phone', async ({ vidence }) => {
  const browser = new Chromium();
  try {
    await browser.start();
    const created = await vidence.createRequest();
    const scores: Record<string, number[]> = {};
    const remarks = new Set<string>();
    for (let run = 0; run < RUNS; run++) {
      // Lighthouse's default is a phone on a slow network.
      const result = await lighthouse(created.submission_url, { port: browser.port, output: 'json' });
      const { categories, audits } = result!.lhr;
      for (const [name, category] of Object.entries(categories)) {
        (scores[name] ??= []).push(Math.round(100 * category.score!));
        for (const { id, weight } of category.auditRefs) {
          const { score, title, displayValue } = audits[id];
          if (weight > 0 && score !== null && score < 1) remarks.add(`${name}: ${title} ${displayValue ?? ''}`);
        }
      }
    }
    table(`Lighthouse, the median of ${RUNS}`, [
      ['', 'score', 'least', 'aim'],
      ...Object.entries(scores).map(([name, all]) => [name, percentile(all, 50), Math.min(...all), AIMS[name]]),
    ]);
    for (const remark of remarks) console.log(`  ${remark}`);
  } finally {
    await browser.end();
  }
});
