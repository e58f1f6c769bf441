// Somebody with the link: node human.js LINK
// Opens it in Chromium, whose camera is a moving picture, records for a moment and sends.

import { withPage } from '../clients/browser.js';

const [link] = process.argv.slice(2);

/** So much is recorded, in seconds. */
const ENOUGH = 2;

/** Nothing that works takes so long, in milliseconds. */
const PATIENCE = 60_000;

const CAMERA = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'];

await withPage(async (page) => {
  page.setDefaultTimeout(PATIENCE);
  const state = (name) => page.locator(`main[data-state=${name}]`).waitFor();
  const click = (name) => page.getByRole('button', { name, exact: true }).click();

  await page.goto(link);
  await click('Turn on the camera');
  await state('preview');
  await click('Record');
  await state('recording');
  await page.waitForFunction((enough) => {
    const shown = document.querySelector('main [data-show=recorded]')?.textContent ?? '';
    return Number(shown.split(':').at(-1)) >= enough;
  }, ENOUGH);
  await click('Stop');
  await state('review');
  await click('Send this video');
  await state('sent');
}, CAMERA);
