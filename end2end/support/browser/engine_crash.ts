// A crash of a browser's engine. It says nothing about the page, so the test may run once more, with a new browser; a
// reporter counts such crashes, and fails the run for more than a few of them.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestInfo } from '@playwright/test';

/** The type of the annotation that a crash leaves with its test. */
export const ENGINE_CRASH = 'engine crash';

/**
 * A process of the browser ended while a test drove it, or waits for a lock for ever. Another hang is no crash: the page
 * may be its cause.
 */
export class EngineCrash extends Error {
  override name = 'EngineCrash';
}

/** In the folder of a test's results: its engine crashed. */
const MARKER = 'engine-crash';

/** Fails a second attempt unless the first one ended with a crash of the engine: nothing else is worth a second try. */
export function refuseRetryWithoutCrash(test: TestInfo): void {
  const first = test.outputDir.replace(/-retry\d+/, '');
  if (test.retry > 0 && !existsSync(join(first, MARKER))) {
    throw new Error('the first attempt failed, and not by a crash of the engine: this test isn’t tried again');
  }
}

/** Keeps what the browser wrote to its standard error with a test that failed, and notes whether its engine crashed. */
export async function recordFailure(test: TestInfo, browserLog: string): Promise<void> {
  if (test.status === test.expectedStatus) return;
  await test.attach('browser.log', { body: browserLog, contentType: 'text/plain' });
  // Of several errors, the first one ended the test.
  const message = test.error?.message ?? '';
  if (!message.startsWith('EngineCrash: ')) return;
  writeFileSync(test.outputPath(MARKER), message);
  test.annotations.push({ type: ENGINE_CRASH, description: message });
}
