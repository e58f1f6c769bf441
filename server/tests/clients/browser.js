// The browser of the end-to-end tests, and its driver, which is installed with them.

import { createRequire } from 'node:module';

const { chromium } = createRequire(new URL('../../../end2end/', import.meta.url))('playwright-core');

/** Disables background network traffic; the sandbox can't start as root. */
const FLAGS = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-gpu',
  '--disable-sync',
  '--no-first-run',
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
];

/**
 * Runs `visit` with a new page of a browser that has these flags as well, and closes the browser in any case.
 */
export async function withPage(visit, flags = []) {
  const executablePath = process.env.VIDENCE_CHROMIUM ?? '/usr/bin/chromium';
  const browser = await chromium.launch({ executablePath, args: [...FLAGS, ...flags] });
  try {
    return await visit(await browser.newPage());
  } finally {
    await browser.close();
  }
}
