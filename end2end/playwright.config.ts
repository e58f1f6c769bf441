import { defineConfig } from '@playwright/test';
import type { Options } from './tests/engines.spec.ts';
import { ALLOWED, FLAGS, TWO_CAMERAS } from './tests/chromium.ts';

const launch = (...flags: string[]) => ({
  launchOptions: { executablePath: process.env.VIDENCE_CHROMIUM ?? '/usr/bin/chromium', args: [...FLAGS, ...flags] },
});

export default defineConfig<Options>({
  testDir: 'tests',
  fullyParallel: true,
  workers: 2,
  forbidOnly: !!process.env.CI,
  // Looking at one state on all screens takes a busy machine a quarter of a minute.
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: [['list']],
  use: {
    // Pictures and copies of every step would take half of the processor's time, of which a recording has little enough.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false },
    screenshot: 'only-on-failure',
    viewport: { width: 390, height: 844 },
  },
  projects: [
    {
      name: 'camera allowed',
      testIgnore: ['denied.spec.ts', 'no-camera.spec.ts', 'engines.spec.ts', 'killed.spec.ts'],
      use: launch(TWO_CAMERAS, ALLOWED),
    },
    {
      name: 'camera denied',
      testMatch: 'denied.spec.ts',
      use: launch(TWO_CAMERAS, `${ALLOWED}=deny`),
    },
    {
      name: 'no camera',
      testMatch: 'no-camera.spec.ts',
      use: launch(ALLOWED),
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
      testMatch: ['engines.spec.ts', 'killed.spec.ts'],
      use: { engine: 'WebKit' },
    },
  ],
});
