// Plays the person who records: node user.js LINK
// Opens the link in Chromium with a fake camera, records for a moment and sends.

import { withPage } from '../clients/browser.js';

const [link] = process.argv.slice(2);

/** Length of the recording in seconds. */
const RECORDED_SECONDS = 2;

/** Timeout of a step in milliseconds. */
const TIMEOUT = 60_000;

const CAMERA_FLAGS = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'];

await withPage(async (page) => {
  page.setDefaultTimeout(TIMEOUT);
  const state = (name) => page.locator(`main[data-state=${name}]`).waitFor();
  const click = (name) => page.getByRole('button', { name, exact: true }).click();

  await page.goto(link);
  await click('Open camera');
  await state('preview');
  await click('Record');
  await state('recording');
  await page.waitForFunction((seconds) => {
    const shown = document.querySelector('main [data-slot=recorded]')?.textContent ?? '';
    return Number(shown.split(':').at(-1)) >= seconds;
  }, RECORDED_SECONDS);
  await click('Stop');
  await state('review');
  await click('Send this video');
  await state('submitted');
}, CAMERA_FLAGS);
