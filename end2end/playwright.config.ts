import { defineConfig } from '@playwright/test';
import type { Options } from './tests/engines.spec.ts';
import type { TransportOption } from './tests/vidence.ts';
import { ALLOWED, FLAGS, TWO_CAMERAS } from './tests/chromium.ts';

/** Half as many pictures a second as by themselves: encoding them is most of what a test makes a processor do. */
const CAMERAS = `${TWO_CAMERAS},fps=10`;

const launch = (...flags: string[]) => ({
  launchOptions: { executablePath: process.env.VIDENCE_CHROMIUM ?? '/usr/bin/chromium', args: [...FLAGS, ...flags] },
});

export default defineConfig<Options & TransportOption>({
  testDir: 'tests',
  fullyParallel: true,
  workers: 2,
  forbidOnly: !!process.env.CI,
  // Looking at one state on all screens takes a busy machine a quarter of a minute.
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: [['list'], ['./tests/engine_crash_reporter.ts']],
  use: {
    // Pictures and copies of every step would take half of the processor's time, of which a recording has little enough.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false },
    screenshot: 'only-on-failure',
    viewport: { width: 390, height: 844 },
  },
  projects: [
    {
      name: 'camera allowed',
      testIgnore: ['denied.spec.ts', 'no-camera.spec.ts', 'engines.spec.ts', 'webkit-kill.spec.ts', 'engine-crash.spec.ts'],
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
      // What a browser does differently over HTTP/2, which it speaks over TLS alone.
      name: 'TLS',
      grep: /@tls/,
      use: { ...launch(CAMERAS, ALLOWED, '--ignore-certificate-errors'), transport: 'tls' },
    },
    {
      name: 'Firefox',
      testMatch: 'engines.spec.ts',
      // Firefox has one fake camera.
      grepInvert: /@several-cameras/,
      use: { engine: 'Firefox' },
    },
    {
      name: 'WebKit',
      testMatch: ['engines.spec.ts', 'webkit-kill.spec.ts', 'engine-crash.spec.ts'],
      // After a crash of the engine only.
      retries: 1,
      use: { engine: 'WebKit' },
    },
  ],
});
