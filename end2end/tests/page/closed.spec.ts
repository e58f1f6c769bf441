// A link that is used, unknown, deleted, taken down or expired says so, and ends a recording in progress.
import { readFileSync } from 'node:fs';
import { camerasAreOff, trackDevices } from '../../support/device/devices.ts';
import { submitVideo } from '../../support/page/requester.ts';
import { expectFits } from '../../support/page/screens.ts';
import { RecorderSpy } from '../../support/page/recorder_spy.ts';
import { expect, test } from '../../support/server/vidence.ts';
import { Witness } from '../../support/page/witness.ts';

const VIDEO = readFileSync('../crates/test-support/fixtures/whole.webm');

test('a used link tells others that the video was received, and no more', async ({ page, vidence }) => {
  const created = await vidence.createRequest();
  await submitVideo(vidence, created, VIDEO);
  const answer = await page.goto(created.submission_url);
  expect(answer?.status()).toBe(200);
  await expect(page.getByRole('heading')).toHaveText(['The video was received']);
  await expect(page.getByRole('button')).toHaveCount(0);
  await expectFits(page, 'used');
});

test('a person who submits second is told that a video was already sent', async ({ page, browser, vidence }) => {
  const created = await vidence.createRequest();
  const [first, second] = [new Witness(page), new Witness(await browser.newPage())];
  for (const witness of [first, second]) {
    await witness.open(created.submission_url);
    await witness.turnOnCamera();
    await witness.recordFor(1);
    await witness.stopRecording();
    await expect(witness.notice('complete').first()).toBeVisible();
  }
  const recorded = first.spy.bytes();
  await second.page.route('**/state*', (route) => route.abort());
  await first.submit();
  await second.submitButton.click();
  await second.waitForState('ended-submitted');
  await expect(second.page.getByRole('heading', { name: 'A video was already sent' })).toBeVisible();
  await expectFits(second.page, 'ended-submitted');
  RecorderSpy.expectSealed(await vidence.download(created), recorded);
  await second.page.close();
});

test('an unknown link says that there is nothing', async ({ page, vidence }) => {
  const answer = await page.goto(vidence.url('/r/0000000000000000000000'));
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole('heading', { name: 'There is nothing at this link' })).toBeVisible();
  await expectFits(page, 'unknown');
});

test('deleting the request ends a recording in progress', async ({ page, vidence }) => {
  await trackDevices(page);
  const [created, witness] = await Witness.openAtCamera(page, vidence);
  await witness.recordFor(1);
  const deletion = await vidence.fetchAsCreator(created, `/v1/requests/${created.id}`, { method: 'DELETE' });
  expect(deletion.status).toBe(204);
  await witness.waitForState('ended-withdrawn');
  await expect(page.getByRole('heading', { name: 'This request was withdrawn' })).toBeVisible();
  await expectEnded(witness);
  await expectFits(page, 'ended-withdrawn');
  // What was recorded is nowhere else now: on the smallest phone, too, it can be saved without scrolling.
  await page.setViewportSize({ width: 320, height: 568 });
  await expect(page.getByRole('button', { name: 'Save on this device' })).toBeInViewport({ ratio: 1 });
});

test('taking the request down ends a recording in progress, and the link says so', async ({ page, vidence }) => {
  await trackDevices(page);
  const [created, witness] = await Witness.openAtCamera(page, vidence);
  await witness.recordFor(1);
  expect(vidence.runCommand('takedown', created.submission_url)).toContain('Taken down.');
  await witness.waitForState('ended-taken-down');
  await expect(page.getByRole('heading', { name: 'This request was taken down' })).toBeVisible();
  await expectEnded(witness);
  await expectFits(page, 'ended-taken-down');

  const answer = await page.reload();
  expect(answer?.status()).toBe(410);
  await expect(page.getByRole('heading', { name: 'This request was taken down' })).toBeVisible();
  await expectFits(page, 'taken-down');
});

test('an expired link says so, and ends a review', async ({ page, database, videnceOnPostgres: vidence }) => {
  await trackDevices(page);
  const [created, witness] = await Witness.openAtCamera(page, vidence);
  await witness.recordFor(1);
  // A recording ends before its link does, so that it can be sent.
  await witness.stopRecording();
  await expect(witness.notice('complete').first()).toBeVisible();
  database.expire(created);
  // The page knows the time as well: the server’s clock alone could be wrong.
  await page.evaluate((day) => {
    const now = performance.now.bind(performance);
    performance.now = () => now() + day;
  }, 24 * 60 * 60 * 1000);
  await witness.waitForState('ended-expired');
  await expect(page.getByRole('heading', { name: 'This link has expired' })).toBeVisible();
  await expectEnded(witness);
  await expectFits(page, 'ended-expired');

  page.on('dialog', (dialog) => dialog.accept());
  const answer = await page.reload();
  expect(answer?.status()).toBe(410);
  await expect(page.getByRole('heading', { name: 'This link has expired' })).toBeVisible();
  await expectFits(page, 'expired');
  expect((await vidence.fetchStatus(created)).status).toBe('expired');
});

test('submitting a video removes its copy from the device', async ({ page, vidence }) => {
  const [created, witness] = await Witness.openAtCamera(page, vidence);
  await witness.recordFor(2);
  await witness.stopRecording();
  await expect.poll(() => witness.countStoredRecords()).toBeGreaterThan(0);
  await witness.submit();
  await expect.poll(() => witness.countStoredRecords()).toBe(0);
  expect((await vidence.fetchStatus(created)).status).toBe('submitted');
});

test('a link that is over removes what others that are over have left on the device', async ({ page, vidence }) => {
  const [created, witness] = await Witness.openAtCamera(page, vidence);
  await witness.recordFor(2);
  await witness.stopRecording();
  await expect(witness.notice('complete').first()).toBeVisible();
  const end = Date.parse(created.expires_at);
  const over = await vidence.createRequest();
  await vidence.fetchAsCreator(over, `/v1/requests/${over.id}`, { method: 'DELETE' });
  for (const [now, isKept] of [
    [end - 1, true],
    [end, false],
  ] as const) {
    await page.route(over.submission_url, async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace(/data-now="\d+"/, `data-now="${now}"`);
      expect(body).toContain(String(now));
      await route.fulfill({ response, body });
    });
    const receipts = ['another', over.id].map((it) => `${it}\t${created.expires_at}\t-\t-\t-`);
    await page.evaluate((lines) => localStorage.setItem('vidence.receipts', lines), receipts.join('\n'));
    await page.goto(over.submission_url);
    await expect(page.getByRole('heading', { name: 'There is nothing at this link' })).toBeVisible();
    // The link’s own receipt is removed last.
    const left = () => page.evaluate(() => localStorage.getItem('vidence.receipts'));
    await expect.poll(left).toBe(isKept ? receipts[0] : '');
    expect((await witness.countStoredRecords()) > 0).toBe(isKept);
    await page.unrouteAll();
  }
});

/** Recorder and camera are off, nothing can be recorded or submitted, and nothing is stored. Needs `trackDevices`. */
async function expectEnded(witness: Witness): Promise<void> {
  await witness.spy.waitUntilStopped();
  await expect.poll(() => camerasAreOff(witness.page)).toBe(true);
  await expect(witness.recordButton).toHaveCount(0);
  await expect(witness.submitButton).toHaveCount(0);
  await expect.poll(() => witness.countStoredRecords()).toBe(0);
}
