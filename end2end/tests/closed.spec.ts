import { pullable } from './devices.ts';
import { fits } from './screens.ts';
import { Tape } from './tape.ts';
import { expect, test } from './vidence.ts';
import { Witness } from './witness.ts';

test('a link that was used says so', async ({ page, vidence }) => {
  const [, witness] = await Witness.invited(page, vidence);
  await witness.recordFor(1);
  await witness.stops();
  await witness.sends();

  const answer = await page.reload();
  expect(answer?.status()).toBe(200);
  await expect(page.getByRole('heading', { name: 'The video was received' })).toBeVisible();
  await expect(page.getByRole('button')).toHaveCount(0);
});

test('who sends second is told that somebody was first', async ({ page, browser, vidence }) => {
  const created = await vidence.create();
  const [first, second] = [new Witness(page), new Witness(await browser.newPage())];
  for (const witness of [first, second]) {
    await witness.open(created.submission_url);
    await witness.turnOnCamera();
    await witness.recordFor(1);
    await witness.stops();
    await expect(witness.notice('complete').first()).toBeVisible();
  }
  const recorded = first.tape.bytes();
  await second.page.route('**/state*', (route) => route.abort());
  await first.sends();
  await second.send.click();
  await second.is('ended-submitted');
  await expect(second.page.getByRole('heading', { name: 'A video was already sent' })).toBeVisible();
  await fits(second.page, 'ended-submitted');
  Tape.expectWhole(await vidence.download(created), recorded);
  await second.page.close();
});

test('a link that was never given out says so', async ({ page, vidence }) => {
  const answer = await page.goto(vidence.url('/r/0000000000000000000000'));
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole('heading', { name: 'There is nothing at this link' })).toBeVisible();
  await fits(page, 'unknown');
});

test('a request that is deleted during a recording ends it', async ({ page, vidence }) => {
  await pullable(page);
  const [created, witness] = await Witness.invited(page, vidence);
  await witness.recordFor(1);
  const deletion = await vidence.as(created, `/v1/requests/${created.id}`, { method: 'DELETE' });
  expect(deletion.status).toBe(204);
  await witness.is('ended-withdrawn');
  await expect(page.getByRole('heading', { name: 'This request was withdrawn' })).toBeVisible();
  await hasEnded(witness);
  await fits(page, 'ended-withdrawn');
});

test('a request that is taken down during a recording ends it, and its link says so', async ({ page, vidence }) => {
  await pullable(page);
  const [created, witness] = await Witness.invited(page, vidence);
  await witness.recordFor(1);
  expect(vidence.does('takedown', created.submission_url)).toContain('Taken down.');
  await witness.is('ended-taken-down');
  await expect(page.getByRole('heading', { name: 'This request was taken down' })).toBeVisible();
  await hasEnded(witness);
  await fits(page, 'ended-taken-down');

  const answer = await page.reload();
  expect(answer?.status()).toBe(410);
  await expect(page.getByRole('heading', { name: 'This request was taken down' })).toBeVisible();
  await fits(page, 'taken-down');
});

test('a link whose time is over says so, before and during a recording', async ({
  page,
  database,
  videnceOnPostgres: vidence,
}) => {
  await pullable(page);
  const [created, witness] = await Witness.invited(page, vidence);
  await witness.recordFor(1);
  database.expire(created);
  await witness.is('ended-expired');
  await expect(page.getByRole('heading', { name: 'This link has expired' })).toBeVisible();
  await hasEnded(witness);
  await fits(page, 'ended-expired');

  page.on('dialog', (dialog) => dialog.accept());
  const answer = await page.reload();
  expect(answer?.status()).toBe(410);
  await expect(page.getByRole('heading', { name: 'This link has expired' })).toBeVisible();
  await fits(page, 'expired');
  expect((await vidence.status(created)).status).toBe('expired');
});

test('a video that is sent takes what was kept of it from this device', async ({ page, vidence }) => {
  const [created, witness] = await Witness.invited(page, vidence);
  await witness.recordFor(2);
  await witness.stops();
  await expect.poll(() => witness.kept()).toBeGreaterThan(0);
  await witness.sends();
  await expect.poll(() => witness.kept()).toBe(0);
  expect((await vidence.status(created)).status).toBe('submitted');
});

/** Recorder and camera are off, nothing can be begun or sent, this device keeps nothing. On `pullable` pages only. */
async function hasEnded(witness: Witness): Promise<void> {
  await witness.tape.ends();
  const cameras = () =>
    witness.page.evaluate(() => ((window as any).pictures as MediaStreamTrack[]).map((it) => it.readyState));
  await expect.poll(async () => new Set(await cameras())).toEqual(new Set(['ended']));
  await expect(witness.record).toHaveCount(0);
  await expect(witness.send).toHaveCount(0);
  await expect.poll(() => witness.kept()).toBe(0);
}
