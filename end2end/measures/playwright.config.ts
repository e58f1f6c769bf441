// Measures of the recording page. Falling short of an aim is no failure; that a measure can't be taken is one.
import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: '.',
  testMatch: '*.measure.ts',
  // One at a time: each would disturb the others.
  workers: 1,
  // A measure takes as long as it takes; no single step of one does.
  timeout: 0,
  expect: { timeout: 60_000 },
  use: { actionTimeout: 60_000, navigationTimeout: 60_000 },
  reporter: [['list']],
  outputDir: '../test-results/measures',
});
