import { defineConfig } from '@playwright/test';

/** Chromium's own network chatter off; the sandbox can't start as root. */
const flags = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-gpu',
  '--disable-quic',
  '--disable-sync',
  '--no-first-run',
  '--use-fake-device-for-media-stream',
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
];

const chromium = (...more: string[]) => ({
  launchOptions: {
    executablePath: process.env.VIDENCE_CHROMIUM ?? '/usr/bin/chromium',
    args: [...flags, ...more],
  },
});

export default defineConfig({
  testDir: 'tests',
  fullyParallel: true,
  workers: 2,
  forbidOnly: !!process.env.CI,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  reporter: [['list']],
  use: {
    trace: 'retain-on-failure',
    viewport: { width: 390, height: 844 },
  },
  projects: [
    {
      name: 'camera allowed',
      testIgnore: 'denied.spec.ts',
      use: chromium('--use-fake-ui-for-media-stream'),
    },
    {
      name: 'camera denied',
      testMatch: 'denied.spec.ts',
      use: chromium('--use-fake-ui-for-media-stream=deny'),
    },
  ],
});
