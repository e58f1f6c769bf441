// Who has sent a video sees what was sent and when, can save that, and still sees it on the same link later.
import { readFile } from 'node:fs/promises';

import type { Page } from '@playwright/test';

import { expectFits } from '../../support/page/screens.ts';
import { Witness } from '../../support/page/witness.ts';
import { expect, test } from '../../support/server/vidence.ts';

/** The key of the receipts, as in `app/src/recorder/take/receipt.rs`. */
const KEY = 'vidence.receipts';

test('the receipt says what was sent and when, can be saved, and outlives a reload', async ({ page, vidence }) => {
  const created = await vidence.createRequest('Show the dent.');
  const witness = new Witness(page);
  await witness.open(created.submission_url);
  await witness.turnOnCamera();
  await witness.recordFor(2);
  await witness.stopRecording();
  const recorded = witness.spy.bytes().length;
  await witness.submit();

  const receipt = page.locator('[data-element=receipt]:visible');
  const text = await receipt.innerText();
  const [, seconds, megabytes] = text.match(/^0:(\d\d) · ([\d.]+)\sMB$/m)!;
  expect(Number(seconds)).toBeGreaterThanOrEqual(2);
  expect(Number(megabytes)).toBe(Math.ceil(recorded / 100_000) / 10);
  const inWords = (time: string | number) => page.evaluate(formatTime, time);
  const sent = text.match(/^Sent: (.+)$/m)![1];
  expect([await inWords(Date.now()), await inWords(Date.now() - 60_000)]).toContain(sent);
  expect(text).toContain(`The link and the video are deleted on ${await inWords(created.expires_at)}.`);
  await expectFits(page, 'submitted');
  const saved = await save(page);
  expect(saved).toBe(`${text}\n${created.submission_url}\n`);

  await page.reload();
  await expect(page.getByRole('heading').filter({ visible: true })).toHaveText(['Sent. Thank you!']);
  expect(await receipt.innerText()).toBe(text);
  await expectFits(page, 'sent-from-here');
  expect(await save(page)).toBe(saved);
});

test('a receipt is deleted with its link', async ({ page, vidence }) => {
  const [created, witness] = await Witness.openAtCamera(page, vidence);
  await witness.recordFor(1);
  await witness.stopRecording();
  await witness.submit();
  await expect.poll(() => receipts(page)).toEqual([created.id]);
  // Another link, which ended meanwhile, and one that is used still.
  const past = new Date(Date.now() - 1000).toISOString();
  const others = [`ended\t${past}\t-\t-\t-`, `used\t${created.expires_at}\t-\t-\t-`];
  await page.evaluate(([key, lines]) => {
    localStorage.setItem(key, [localStorage.getItem(key), ...lines].join('\n'));
  }, [KEY, others] as const);
  await page.goto((await vidence.createRequest('Show the dent again.')).submission_url);
  await expect.poll(() => receipts(page)).toEqual([created.id, 'used']);

  expect((await vidence.fetchAsCreator(created, `/v1/requests/${created.id}`, { method: 'DELETE' })).status).toBe(204);
  await page.goto(created.submission_url);
  await expect(page.getByRole('heading', { name: 'There is nothing at this link' })).toBeVisible();
  await expect.poll(() => receipts(page)).toEqual(['used']);
});

/** A time as the page writes it. Runs in the page. */
function formatTime(time: string | number): string {
  const words = { weekday: 'long', day: 'numeric', month: 'long', hour: 'numeric', minute: '2-digit' } as const;
  return new Date(time).toLocaleString('en-u-nu-latn', words);
}

/** Presses the button, and reads the file that the browser saves. */
async function save(page: Page): Promise<string> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save receipt' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('receipt.txt');
  return readFile(await download.path(), 'utf8');
}

/** The requests whose receipts this browser keeps. */
async function receipts(page: Page): Promise<string[]> {
  const stored = await page.evaluate((key) => localStorage.getItem(key), KEY);
  return (stored ?? '').split('\n').map((line) => line.split('\t')[0]);
}
