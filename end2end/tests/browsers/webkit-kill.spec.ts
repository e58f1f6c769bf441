// WebKit is killed during a recording, and opened again. persistence.spec.ts does the same with Chromium.
import { EmbeddedWebKit } from '../../support/browser/embedded_webkit.ts';
import { recordFailure } from '../../support/browser/engine_crash.ts';
import { TabWitness } from '../../support/page/tab_witness.ts';
import { RecorderSpy } from '../../support/page/recorder_spy.ts';
import { baseTest, expect } from '../../support/server/vidence.ts';

/** The most that may be lost, in seconds. */
const LOST = 2;

const test = baseTest.extend<{ webkit: EmbeddedWebKit }>({
  webkit: async ({}, use, testInfo) => {
    const webkit = await EmbeddedWebKit.start();
    await use(webkit);
    await recordFailure(testInfo, webkit.log);
    await webkit.end();
  },
});

// A second attempt is for crashes that a driver reports.
test.describe.configure({ retries: 0, lock: 'software encoder', timeout: 240_000 });

test('killing WebKit without a network loses at most two seconds of a recording', async ({
  webkit,
  vidence,
  network,
}) => {
  const created = await vidence.createRequest();
  const before = new TabWitness(webkit);
  await before.open(network.url(`/r/${created.id}`));
  await before.turnOnCamera();
  await before.recordFor(1);
  await network.cut();
  await before.waitForSeconds(5);
  await before.waitForPieces(4);
  const recorded = await before.recordedBytes();
  await webkit.kill();
  await network.restore();
  const sent = await vidence.committedBytes(created);
  expect(sent).toBeLessThan(recorded.length);

  webkit.open();
  const after = new TabWitness(webkit);
  await after.open(network.url(`/r/${created.id}`));
  await after.waitForState('review');
  await after.submit();
  const safe = RecorderSpy.recordingIn(await vidence.download(created), recorded);
  // More than the server had, and perhaps more than MediaRecorder had delivered when `recorded` was read.
  const common = Math.min(safe.length, recorded.length);
  expect(common).toBeGreaterThan(sent);
  expect(safe.subarray(0, common).equals(recorded.subarray(0, common))).toBe(true);
  const { properties } = await vidence.fetchMetadata(created);
  expect(properties.duration_ms).toBeGreaterThan(1000 * (5 - LOST));
});

test('pieces that WebKit loses with its network process are neither left out of the video nor sent without a pause', async ({
  webkit,
  vidence,
  network,
}) => {
  const created = await vidence.createRequest();
  const url = network.url(`/r/${created.id}`);
  const before = new TabWitness(webkit);
  await before.open(url);
  await before.turnOnCamera();
  await before.recordFor(1);
  await network.cut();
  await before.waitForSeconds(4);
  await before.waitForPieces(4);
  // The process that is killed is also the one that stores.
  await before.waitForStored(4);
  const recorded = await before.recordedBytes();
  webkit.killNetworkProcess();
  await before.waitForSeconds(7);
  await network.restore();
  await before.stopRecording();
  await webkit.press('Send this video');
  await before.waitForNotice('retrying');
  // A body without them would be empty, the answer a success, and the next attempt would follow at once.
  const calls = await webkit.evaluate(
    () => performance.getEntriesByType('resource').filter((it) => it.name.includes('/takes')).length,
  );
  expect(calls).toBeLessThan(20);

  // What is stored is sent on the next visit.
  await webkit.kill();
  webkit.open();
  const after = new TabWitness(webkit);
  await after.open(url);
  await after.waitForState('review');
  await after.submit();
  const sent = RecorderSpy.recordingIn(await vidence.download(created), recorded);
  const common = Math.min(sent.length, recorded.length);
  expect(sent.subarray(0, common).equals(recorded.subarray(0, common))).toBe(true);
  const { properties } = await vidence.fetchMetadata(created);
  expect(properties.duration_ms).toBeGreaterThan(1000 * (4 - LOST));
});
