// A browser that ends in the middle of a recording, and is opened again. Chromium's is beside what the page keeps.
import { EmbeddedWebKit } from './embedded-webkit.ts';
import { recordFailure } from './engine_crash.ts';
import { Person } from './person.ts';
import { Tape } from './tape.ts';
import { bare, expect } from './vidence.ts';

/** What is lost at most, in seconds. */
const LOST = 2;

const test = bare.extend<{ webkit: EmbeddedWebKit }>({
  webkit: async ({}, use, testInfo) => {
    const webkit = await EmbeddedWebKit.start();
    await use(webkit);
    await recordFailure(testInfo, webkit.log);
    await webkit.end();
  },
});

// A second attempt is for crashes that a driver reports.
test.describe.configure({ retries: 0 });

test('a recording outlives WebKit, which the system ended while there was no network', async ({ webkit, vidence, line }) => {
  const created = await vidence.create();
  const before = new Person(webkit);
  await before.open(line.url(`/r/${created.id}`));
  await before.turnOnCamera();
  await before.recordFor(1);
  await line.cut();
  await before.reaches(5);
  const recorded = await before.recorded();
  await webkit.kill();
  await line.mend();
  const sent = await vidence.committed(created);
  expect(sent).toBeLessThan(recorded.length);

  webkit.open();
  const after = new Person(webkit);
  await after.open(line.url(`/r/${created.id}`));
  await after.is('review');
  await after.sends();
  const safe = Tape.within(await vidence.download(created), recorded);
  // More than the server had; perhaps more than the recorder had handed out when it was asked.
  const common = Math.min(safe.length, recorded.length);
  expect(common).toBeGreaterThan(sent);
  expect(safe.subarray(0, common).equals(recorded.subarray(0, common))).toBe(true);
  const { properties } = await vidence.metadata(created);
  expect(properties.duration_ms).toBeGreaterThan(1000 * (5 - LOST));
});
