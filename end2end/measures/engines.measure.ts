// Memory of a long recording in the browsers that Playwright doesn't drive.
import { Firefox } from '../support/browser/firefox.ts';
import { TabWitness } from '../support/page/tab_witness.ts';
import type { Tab } from '../support/browser/tab.ts';
import type { Created } from '../support/server/vidence.ts';
import { WebKit } from '../support/browser/webkit.ts';
import { memory, rendererOf } from './processes.ts';
import { QUICK, measure, megabytes, table } from './report.ts';

const SECONDS = QUICK ? 40 : 600;
const EVERY = QUICK ? 5 : 20;

for (const Engine of [Firefox, WebKit]) {
  measure(`memory of a long recording in ${Engine.name}`, async ({ vidence }) => {
    const engine = await Engine.start(true);
    try {
      const tab = await engine.tab();
      const witness = await openAtCamera(tab, await vidence.createRequest());
      const renderer = await rendererOf(tab, engine.pid);
      const before = memory(renderer);
      await witness.recordFor(1);
      const began = Date.now();
      const rows: (string | number)[][] = [['s', 'RSS MB', 'private MB']];
      let most = 0;
      for (let next = 0; next <= SECONDS; next += EVERY) {
        await new Promise((done) => setTimeout(done, began + 1000 * next - Date.now()));
        const now = memory(renderer);
        most = Math.max(most, now.resident - before.resident);
        rows.push([next, megabytes(now.resident), megabytes(now.own)]);
      }
      table(`Memory while recording in ${Engine.name}`, rows);
      table('At the end', [
        ['what', 'measured', 'aim'],
        ['RSS above what the camera alone takes at most, MB', megabytes(most), '≤ 150'],
      ]);
      await witness.stopRecording();
    } finally {
      await engine.end();
    }
  });
}

async function openAtCamera(tab: Tab, created: Created): Promise<TabWitness> {
  // Not `open`: that would keep all recorded blobs in the page.
  await tab.goto(created.submission_url);
  const witness = new TabWitness(tab);
  await witness.turnOnCamera();
  return witness;
}
