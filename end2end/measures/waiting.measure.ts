// How long a person and an agent wait on a good network.
import { Chromium } from '../support/browser/chromium.ts';
import type { Created, Vidence } from '../support/server/vidence.ts';
import { Witness } from '../support/page/witness.ts';
import { QUICK, measure, percentile, table } from './report.ts';

const TAKES = QUICK ? 3 : 20;
const SECONDS = QUICK ? 2 : 5;

measure('waiting on a good network', async ({ vidence }) => {
  const browser = new Chromium();
  try {
    const context = await browser.start();
    const sending: number[] = [];
    const watching: number[] = [];
    for (let take = 0; take < TAKES; take++) {
      const created = await vidence.createRequest();
      const page = await context.newPage();
      const witness = new Witness(page);
      await witness.open(created.submission_url);
      await witness.turnOnCamera();
      await witness.recordFor(SECONDS);
      await witness.stopRecording();
      const seen = waitForFirstBytes(vidence, created);
      // Measured in the page, without the latency of the driver.
      await page.evaluate(() => {
        const moments = ((window as any).moments = { pressed: 0, sent: 0 });
        const main = document.querySelector('main[data-state]')!;
        const press = () => (moments.pressed ||= Date.now());
        document.querySelector('[data-action=submit]')!.addEventListener('click', press, { capture: true });
        new MutationObserver(() => {
          if (main.getAttribute('data-state') === 'submitted') moments.sent ||= Date.now();
        }).observe(main, { attributeFilter: ['data-state'] });
      });
      await witness.submit();
      const { pressed, sent } = await page.evaluate(() => (window as any).moments);
      sending.push(sent - pressed);
      watching.push((await seen) - sent);
      await page.close();
    }
    const row = (what: string, values: number[], aim: string) => [
      what,
      ...[percentile(values, 50), percentile(values, 95), Math.max(...values)],
      aim,
    ];
    table(`${TAKES} takes of ${SECONDS} s, in ms`, [
      ['from … to', 'p50', 'p95', 'most', 'aim'],
      row('pressing Send → “Sent”', sending, '≤ 1000'),
      row('“Sent” → the agent has the first bytes', watching, 'p95 ≤ 2000'),
    ]);
  } finally {
    await browser.end();
  }
});

/** Waits for the video as an agent does, and returns when its first bytes had arrived. */
async function waitForFirstBytes(vidence: Vidence, created: Created): Promise<number> {
  for (;;) {
    const waiting = { headers: { Prefer: 'wait=50' } };
    const status = await (await vidence.fetchAsCreator(created, `/v1/requests/${created.id}`, waiting)).json();
    if (status.status !== 'submitted') continue;
    const part = await vidence.fetchAsCreator(created, status.video.url, { headers: { Range: 'bytes=0-65535' } });
    await part.arrayBuffer();
    if (part.status === 206) return Date.now();
  }
}
