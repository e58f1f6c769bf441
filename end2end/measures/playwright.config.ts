// Measures of the recording page. Missing an aim is no failure; a measure that can't be taken is one.
import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: '.',
  testMatch: '*.measure.ts',
  // One at a time: they would disturb each other.
  workers: 1,
  // A measure has no timeout; its steps have.
  timeout: 0,
  expect: { timeout: 60_000 },
  use: { actionTimeout: 60_000, navigationTimeout: 60_000 },
  reporter: [['list']],
  outputDir: '../test-results/measures',
});
