// The projects: which tests run in which browser, over which transport.
import { defineConfig } from '@playwright/test';
import { ALLOWED, FLAGS, TWO_CAMERAS } from './support/browser/chromium.ts';
import type { EngineOption } from './support/browser/engine_test.ts';
import type { TransportOption } from './support/server/vidence.ts';

/** Half of the default frame rate: encoding takes most of the processor time of a test. */
const CAMERAS = `${TWO_CAMERAS},fps=10`;

/** What runs in each engine that Playwright doesn't drive. */
const ENGINES = ['engines.spec.ts', 'engine-cameras.spec.ts'];

/** What runs in WebKit beside it. */
const WEBKIT_ONLY = ['webkit-kill.spec.ts', 'webkit-pictures.spec.ts', 'engine-crash.spec.ts'];

const launch = (...flags: string[]) => ({
  launchOptions: { executablePath: process.env.VIDENCE_CHROMIUM ?? '/usr/bin/chromium', args: [...FLAGS, ...flags] },
});

export default defineConfig<EngineOption & TransportOption>({
  testDir: 'tests',
  fullyParallel: true,
  workers: 2,
  forbidOnly: !!process.env.CI,
  // So many don't fail by chance: the machine lacks something, and each would wait for its time limit.
  maxFailures: process.env.CI ? 25 : 0,
  // Checking one state on all screens takes a busy machine 15 seconds.
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: [['list'], ['./support/browser/engine_crash_reporter.ts']],
  use: {
    // Screenshots and snapshots of every step would take half of the processor time, which recordings need.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false },
    screenshot: 'only-on-failure',
    viewport: { width: 390, height: 844 },
  },
  projects: [
    // First: they take turns, because software encoders starve each other, and the rest is done beside them.
    {
      name: 'Firefox',
      testMatch: ENGINES,
      // Firefox has one fake camera, and without a display no screen.
      grepInvert: /@several-cameras|@screen/,
      use: { engine: 'Firefox' },
    },
    {
      name: 'WebKit',
      testMatch: [...ENGINES, ...WEBKIT_ONLY],
      // Only a crash of the engine is followed by a second attempt: see engine_crash.ts.
      retries: 1,
      grepInvert: /@android|@sizes/,
      use: { engine: 'WebKit' },
    },
    {
      name: 'camera allowed',
      testIgnore: ['denied.spec.ts', 'no-camera.spec.ts', ...ENGINES, ...WEBKIT_ONLY],
      use: launch(CAMERAS, ALLOWED),
    },
    {
      name: 'camera denied',
      testMatch: 'denied.spec.ts',
      use: launch(CAMERAS, `${ALLOWED}=deny`),
    },
    {
      name: 'no camera',
      testMatch: 'no-camera.spec.ts',
      use: launch(ALLOWED),
    },
    {
      // Browsers speak HTTP/2 over TLS only.
      name: 'TLS',
      grep: /@tls/,
      use: { ...launch(CAMERAS, ALLOWED, '--ignore-certificate-errors'), transport: 'tls' },
    },
  ],
});
