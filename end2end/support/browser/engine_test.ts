// The fixtures of tests that run in Firefox and in WebKit, which Playwright doesn't drive.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ScriptInjector } from '../network/script_injector.ts';
import { RecorderSpy } from '../page/recorder_spy.ts';
import { TabWitness } from '../page/tab_witness.ts';
import { type Created, type Vidence, baseTest } from '../server/vidence.ts';
import { recordFailure, refuseRetryWithoutCrash } from './engine_crash.ts';
import { Firefox } from './firefox.ts';
import type { Engine } from './tab.ts';
import { WebKit } from './webkit.ts';

export interface EngineOption {
  engine: 'Firefox' | 'WebKit';
}

interface Fixtures {
  /** Whether the machine has a camera. */
  camera: boolean;
  started: Engine;
  witness: TabWitness;
  /** The server, by an address at which its pages have the doubles that are installed here. */
  doubles: ScriptInjector;
  /** Writes a file to choose in the page, and returns its path. */
  file: (name: string, bytes: Buffer) => string;
}

/** Tags tests for browsers with several fake cameras: Firefox has one. */
export const SEVERAL_CAMERAS = '@several-cameras';

/** Tags tests for browsers that share a screen where there is no display. */
export const SCREEN = '@screen';

/** Tags tests of what only Android has, where there is no WebKit. */
export const ANDROID = '@android';

/** Tags tests for browsers whose frames may change their size: WebKit's GStreamer writes no playable file of them. */
export const SIZES = '@sizes';

export const test = baseTest.extend<EngineOption & Fixtures>({
  engine: ['Firefox', { option: true }],
  camera: [true, { option: true }],

  started: async ({ engine, camera }, use, testInfo) => {
    refuseRetryWithoutCrash(testInfo);
    const started: Engine = await (engine === 'WebKit' ? WebKit : Firefox).start(camera);
    await use(started);
    await recordFailure(testInfo, started.log ?? '');
    await started.end();
  },

  witness: async ({ started }, use) => {
    await use(new TabWitness(await started.tab()));
  },

  doubles: async ({ vidence }, use) => {
    const doubles = new ScriptInjector(vidence);
    await doubles.start();
    await use(doubles);
    doubles.stop();
  },

  file: async ({}, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'chosen-'));
    await use((name, bytes) => {
      writeFileSync(join(folder, name), bytes);
      return join(folder, name);
    });
    // Only now: the page may read a chosen file at any time.
    rmSync(folder, { recursive: true });
  },
});

/** The submitted video holds the recorded bytes. On a mismatch both are attached to the test. */
export async function expectSealedAs(vidence: Vidence, created: Created, recorded: Buffer): Promise<void> {
  const sealed = await vidence.download(created);
  try {
    RecorderSpy.expectSealed(sealed, recorded);
  } catch (error) {
    await test.info().attach('sealed', { body: sealed, contentType: 'application/octet-stream' });
    await test.info().attach('recorded', { body: recorded, contentType: 'application/octet-stream' });
    throw error;
  }
}
