// The main journeys in Firefox and in WebKit: what can break in one engine alone.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recordFailure, refuseRetryWithoutCrash } from './engine_crash.ts';
import { film } from './film.ts';
import { Firefox } from './firefox.ts';
import { Person, RETRY } from './person.ts';
import { Tape } from './tape.ts';
import type { Engine } from './tab.ts';
import { type Created, type Vidence, bare, expect } from './vidence.ts';
import { WebKit } from './webkit.ts';

export interface Options {
  engine: 'Firefox' | 'WebKit';
}

interface Fixtures {
  /** Whether the machine has one. */
  camera: boolean;
  started: Engine;
  person: Person;
  /** Writes a file with this name to choose in the page, and returns its path. */
  file: (name: string, bytes: Buffer) => string;
}

/** For browsers that have several fake cameras: Firefox has one. */
const SEVERAL_CAMERAS = '@several-cameras';

const test = bare.extend<Options & Fixtures>({
  engine: ['Firefox', { option: true }],
  camera: [true, { option: true }],

  started: async ({ engine, camera }, use, testInfo) => {
    refuseRetryWithoutCrash(testInfo);
    const started: Engine = await (engine === 'WebKit' ? WebKit : Firefox).start(camera);
    await use(started);
    await recordFailure(testInfo, started.log ?? '');
    await started.end();
  },

  person: async ({ started }, use) => {
    await use(new Person(await started.tab()));
  },

  file: async ({}, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'chosen-'));
    await use((name, bytes) => {
      writeFileSync(join(folder, name), bytes);
      return join(folder, name);
    });
    // A page reads what was chosen when it likes to.
    rmSync(folder, { recursive: true });
  },
});

// One after the other: these engines encode by the processor, and two of them starve each other.
test.describe.configure({ mode: 'default' });

test('a person records, pauses, goes on and sends, and the agent gets every byte', async ({ person, vidence }) => {
  const created = await vidence.create();
  await person.open(created.submission_url);
  await person.turnOnCamera();
  await person.recordFor(3);
  await person.tab.press('Pause');
  await person.is('paused');
  // Longer than a camera may give nothing before it counts as taken away.
  const paused = Date.now();
  await expect.poll(() => Date.now() - paused).toBeGreaterThan(3000);
  expect(await person.state()).toBe('paused');
  const before = await person.seconds();
  await person.tab.press('Resume');
  await person.is('recording');
  await person.reaches(before + 3);
  // Bytes are safe while the recording still runs.
  expect(await vidence.committed(created)).toBeGreaterThan(0);
  await person.stops();
  expect(await person.notices('interrupted')).toBe(false);
  const length = await person.seconds();
  await person.plays(length - 2);
  expect((await vidence.status(created)).status).toBe('awaiting_submission');
  await person.sends();

  const { status, video } = await vidence.status(created);
  expect(status).toBe('submitted');
  expect(video.expires_at).toBe(created.expires_at);
  await holds(vidence, created, await person.recorded());
  const { properties } = await vidence.metadata(created);
  // Without the pause.
  expect(Math.abs(properties.duration_ms / 1000 - length)).toBeLessThan(2);
  expect(properties.has_audio).toBe(true);
});

test('a reload during a recording loses nothing that the recorder has handed out', async ({ person, vidence }) => {
  const created = await vidence.create();
  await person.open(created.submission_url);
  await person.turnOnCamera();
  await person.recordFor(4);
  const recorded = await person.recorded();
  await person.tab.reload();
  await person.is('review');
  await person.plays(2);
  await person.sends();
  const safe = Tape.within(await vidence.download(created), recorded);
  // What was handed out later may be there, too.
  expect(safe.subarray(0, recorded.length).equals(recorded)).toBe(true);
  const { properties } = await vidence.metadata(created);
  expect(properties.duration_ms).toBeGreaterThan(2000);
});

test('without a network the page says so, records on, and goes on by itself', async ({ person, vidence, line }) => {
  const created = await vidence.create();
  await person.open(line.url(`/r/${created.id}`));
  await person.turnOnCamera();
  await person.recordFor(2);
  await expect.poll(() => vidence.committed(created)).toBeGreaterThan(0);

  await line.cut();
  await person.isTold('retrying');
  await person.sees('The upload isn’t getting through right now. We keep trying.');
  const promised = await vidence.committed(created);
  await person.reaches((await person.seconds()) + 2);
  expect(await vidence.committed(created)).toBe(promised);

  await line.mend();
  await expect.poll(() => vidence.committed(created), RETRY).toBeGreaterThan(promised);
  await expect.poll(() => person.notices('retrying')).toBe(false);
  await person.stops();
  await person.sends();
  await holds(vidence, created, await person.recorded());
});

test('a server that is killed during a recording loses nothing of it', async ({ person, vidence }) => {
  const created = await vidence.create();
  await person.open(created.submission_url);
  await person.turnOnCamera();
  await person.recordFor(2);
  await expect.poll(() => vidence.committed(created)).toBeGreaterThan(0);

  const promised = await vidence.committed(created);
  await vidence.stop('SIGKILL');
  await person.isTold('retrying');
  await vidence.start();
  expect(await vidence.committed(created)).toBeGreaterThanOrEqual(promised);
  await expect.poll(() => vidence.committed(created), RETRY).toBeGreaterThan(promised);
  await person.stops();
  await person.sends();
  await holds(vidence, created, await person.recorded());
});

test('what is recorded again takes the place of what was recorded first', async ({ person, vidence }) => {
  const created = await vidence.create();
  await person.open(created.submission_url);
  await person.turnOnCamera();
  await person.recordFor(1);
  await person.stops();
  await person.isTold('complete');
  const first = await person.recorded();
  await person.recordsAgain();
  await expect.poll(async () => (await vidence.state(created)).takes).toEqual([]);
  await person.recordFor(2);
  await person.stops();
  await person.sends();
  const second = await person.recorded();
  await holds(vidence, created, second);
  // Browsers may begin two recordings with the same bytes.
  expect((await vidence.download(created)).includes(first)).toBe(false);
});

test('a film that was there before is chosen and sent as it is', async ({ person, vidence, file }) => {
  const created = await vidence.create();
  await person.open(created.submission_url);
  const bytes = film();
  await person.tab.choose(file('IMG_0001.MOV', bytes));
  await person.is('review');
  await person.isTold('complete');
  await person.sends();
  expect((await vidence.download(created)).includes(bytes)).toBe(true);
});

test('a camera is chosen among several, and remembered', { tag: SEVERAL_CAMERAS }, async ({ person, vidence }) => {
  const created = await vidence.create();
  await person.open(created.submission_url);
  await person.turnOnCamera();
  const other = await person.choosesAnotherCamera();
  await expect.poll(() => person.camera()).toBe(other);
  await person.recordFor(1);
  await person.stops();
  await person.isTold('complete');
  await person.tab.reload();
  await person.is('review');
  await person.recordsAgain();
  await expect.poll(() => person.camera()).toBe(other);
});

test('a second tab says that the first has it, and is free when that closes', async ({ started, person, vidence }) => {
  const created = await vidence.create();
  await person.open(created.submission_url);
  await person.turnOnCamera();
  await person.recordFor(2);
  const second = new Person(await started.tab());
  await second.open(created.submission_url);
  await second.is('elsewhere');
  await second.sees('This page is open in another tab');
  await person.stops();
  await person.isTold('complete');
  const recorded = await person.recorded();

  await person.tab.close();
  await second.is('review');
  await second.plays(1);
  await second.sends();
  await holds(vidence, created, recorded);
});

test.describe('on a machine without a camera', () => {
  test.use({ camera: false });

  test('a person is told so, and sends a file', async ({ person, vidence, file }) => {
    const created = await vidence.create();
    await person.open(created.submission_url);
    await person.tab.press('Open camera');
    await person.is('blocked-no-camera');
    await person.sees('No camera found');
    // It can be sought already, so it comes back as it is.
    const bytes = readFileSync('../crates/test-support/fixtures/whole.webm');
    await person.tab.choose(file('clip.webm', bytes));
    await person.is('review');
    await person.plays(0);
    await person.sends();
    expect((await vidence.download(created)).equals(bytes)).toBe(true);
  });
});

/** The submitted video is what was recorded, byte for byte. */
async function holds(vidence: Vidence, created: Created, recorded: Buffer): Promise<void> {
  const sealed = await vidence.download(created);
  try {
    Tape.expectWhole(sealed, recorded);
  } catch (error) {
    await test.info().attach('sealed', { body: sealed, contentType: 'application/octet-stream' });
    await test.info().attach('recorded', { body: recorded, contentType: 'application/octet-stream' });
    throw error;
  }
}
