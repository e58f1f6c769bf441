// What the console says of a video whose bytes have changed on the server's disk.
import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Requester, submitVideo } from '../../support/page/requester.ts';
import { expect, test, type Vidence } from '../../support/server/vidence.ts';

const VIDEO = readFileSync('../crates/test-support/fixtures/chromium-vp8-opus.webm');

test('a damaged video is told in the server’s words, and shown again once it is restored', async ({ page, vidence }) => {
  const requester = new Requester(page);
  const created = await requester.createRequest(vidence.url('/'));
  await submitVideo(vidence, created, VIDEO);
  await requester.waitForDuration();
  const recording = findRecording(vidence);
  const changed = Buffer.from(VIDEO);
  changed[VIDEO.length >> 1]! ^= 1;
  writeFileSync(recording, changed);
  expect(() => vidence.runCommand('check', '--deep')).toThrow(/exit|failed/i);

  await page.reload();
  await expect(requester.heading).toHaveText('The video can’t be shown');
  await expect(page.getByText('The server says: the stored video is damaged')).toBeVisible();
  await expect(page.getByText('The server doesn’t answer')).toBeHidden();
  await expect(page.getByText('Pictures are being made')).toBeHidden();
  await expect(page.getByText('You can still save it')).toBeHidden();
  await expect(page.getByRole('button', { name: /^Delete/ })).toBeVisible();

  writeFileSync(recording, VIDEO);
  vidence.runCommand('check', '--deep');
  // By itself, as the page asks again.
  await expect(requester.heading).toHaveText('The video is here');
  await expect(page.getByText('The server says')).toBeHidden();
  await page.getByRole('button', { name: 'Try again' }).click();
  expect(await requester.waitForDuration()).toBeGreaterThan(1);
});

/** The object that holds the recording. */
function findRecording(vidence: Vidence): string {
  const entries = readdirSync(vidence.dataDir, { recursive: true }).map((it) => join(vidence.dataDir, String(it)));
  const recording = entries.find((it) => statSync(it).isFile() && readFileSync(it).equals(VIDEO));
  expect(recording, 'the object').toBeDefined();
  return recording!;
}
