// What a long recording takes, and what a kill would cost, in the engines that Playwright doesn't drive.
import { Firefox } from '../tests/firefox.ts';
import { Person } from '../tests/person.ts';
import type { Tab } from '../tests/tab.ts';
import type { Created } from '../tests/vidence.ts';
import { WebKit } from '../tests/webkit.ts';
import { memory, rendererOf } from './processes.ts';
import { QUICK, measure, megabytes, percentile, table } from './report.ts';

const SECONDS = QUICK ? 40 : 600;
const EVERY = QUICK ? 5 : 20;
const LOOKS = QUICK ? 3 : 20;

for (const Engine of [Firefox, WebKit]) {
  measure(`memory of a long recording in ${Engine.name}`, async ({ vidence }) => {
    const engine = await Engine.start(true);
    try {
      const tab = await engine.tab();
      const person = await atTheCamera(tab, await vidence.create());
      const renderer = await rendererOf(tab, engine.pid);
      const before = memory(renderer);
      await person.recordFor(1);
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
      await person.stops();
    } finally {
      await engine.end();
    }
  });
}

// Its driver ends the session when a page is killed, so it is looked instead at what a killed page would leave: what the
// store, which is another process's, has of the recording.
measure('what a kill would lose in WebKit', async ({ vidence }) => {
  const webkit = await WebKit.start(true);
  try {
    const tab = await webkit.tab();
    const person = await atTheCamera(tab, await vidence.create());
    await tab.evaluate(noteTheBeginning);
    await person.recordFor(1);
    const missing: number[] = [];
    for (let look = 0; look < LOOKS; look += 1) {
      await new Promise((done) => setTimeout(done, 500 + 2500 * Math.random()));
      missing.push(await tab.evaluate(notStored));
    }
    table(`${LOOKS} looks into WebKit's store: milliseconds that were recorded and aren't in it`, [
      ['', 'ms', 'aim'],
      ['least', Math.min(...missing).toFixed(), ''],
      ['p50', percentile(missing, 50).toFixed(), ''],
      ['most', Math.max(...missing).toFixed(), '≤ 2000'],
    ]);
  } finally {
    await webkit.end();
  }
});

async function atTheCamera(tab: Tab, created: Created): Promise<Person> {
  // Not `open`: that would hold all pieces in the page.
  await tab.goto(created.submission_url);
  const person = new Person(tab);
  await person.turnOnCamera();
  return person;
}

/** Runs in the page, before it records. */
function noteTheBeginning(): void {
  const start = MediaRecorder.prototype.start;
  MediaRecorder.prototype.start = function (...slice) {
    (window as any).began = Date.now();
    return start.apply(this, slice);
  };
}

/** Runs in the page: how far the recorder is ahead of what is stored, in milliseconds. */
async function notStored(): Promise<number> {
  const done = (request: IDBRequest) =>
    new Promise<any>((good, bad) => {
      request.onsuccess = () => good(request.result);
      request.onerror = () => bad(request.error);
    });
  const recorded = Date.now() - (window as any).began;
  const database = await done(indexedDB.open('vidence'));
  const keys = await done(database.transaction('pieces').objectStore('pieces').getAllKeys());
  database.close();
  return recorded - Math.max(0, ...keys.map((key: number[]) => key[2]));
}
