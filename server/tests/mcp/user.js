// Plays the person who records: node user.js LINK
// Sends the recording whose path is in RECORDING; without one opens the link in Chromium with a fake camera, records for a
// moment and sends.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';

import { withPage } from '../clients/browser.js';

const [link] = process.argv.slice(2);
const { RECORDING } = process.env;

/** Length of the recording in seconds. */
const RECORDED_SECONDS = 2;

/** Timeout of a step in milliseconds. */
const TIMEOUT = 60_000;

const CAMERA_FLAGS = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'];

await (RECORDING ? sendFile(RECORDING) : withPage(recordAndSend, CAMERA_FLAGS));

async function sendFile(path) {
  const body = await readFile(path);
  const take = await fetch(`${link}/takes`, { method: 'POST', headers: { 'Content-Type': 'video/webm' }, body });
  assert.equal(take.status, 201);
  const submission = await fetch(`${link}/submission`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ take: take.headers.get('location').split('/').pop() }),
  });
  assert.equal(submission.status, 200);
}

async function recordAndSend(page) {
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
}
