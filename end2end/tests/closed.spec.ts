import { expect, test } from './vidence.ts';
import { fits } from './screens.ts';
import { Witness } from './witness.ts';

test('a link that was used says so', async ({ page, vidence }) => {
  const [created, witness] = await Witness.invited(page, vidence);
  await witness.recordFor(1);
  await witness.stop.click();
  await witness.send.click();
  await expect(page.getByRole('heading', { name: 'Video received' })).toBeVisible();

  const answer = await page.reload();
  expect(answer?.status()).toBe(200);
  await expect(page.getByRole('heading', { name: 'The video was received' })).toBeVisible();
  await expect(page.getByRole('button')).toHaveCount(0);
});

test('who sends second is told that somebody was first', async ({ page, context, vidence }) => {
  const created = await vidence.create();
  const [first, second] = [new Witness(page), new Witness(await context.newPage())];
  for (const witness of [first, second]) {
    await witness.open(created.submission_url);
    await witness.turnOnCamera();
    await witness.recordFor(1);
    await witness.stop.click();
    await expect(witness.page.getByText('All of it is uploaded')).toBeVisible();
  }
  const recorded = await first.recorded();
  await first.send.click();
  await expect(first.page.getByRole('heading', { name: 'Video received' })).toBeVisible();
  await second.send.click();
  await expect(second.page.getByRole('heading', { name: 'A video was already sent' })).toBeVisible();
  expect((await vidence.download(created)).subarray(-recorded.length).equals(recorded)).toBe(true);
});

test('a link that was never given out says so', async ({ page, vidence }) => {
  const answer = await page.goto(vidence.url('/r/0000000000000000000000'));
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole('heading', { name: 'There is nothing at this link' })).toBeVisible();
  await fits(page, 'unknown');
});

test('a request that is deleted during a recording ends it', async ({ page, vidence }) => {
  const [created, witness] = await Witness.invited(page, vidence);
  await witness.recordFor(1);
  const deletion = await vidence.as(created, `/v1/requests/${created.id}`, { method: 'DELETE' });
  expect(deletion.status).toBe(204);
  await expect(page.getByRole('heading', { name: 'This request was withdrawn' })).toBeVisible();
  await expect(page.getByRole('button')).toHaveCount(0);
  await fits(page, 'withdrawn');
});

test('a link whose time is over says so, before and during a recording', async ({
  page,
  database,
  videnceOnPostgres: vidence,
}) => {
  const [created, witness] = await Witness.invited(page, vidence);
  await witness.recordFor(1);
  database.expire(created);
  await expect(page.getByRole('heading', { name: 'This link has expired' })).toBeVisible();

  page.on('dialog', (dialog) => dialog.accept());
  const answer = await page.reload();
  expect(answer?.status()).toBe(410);
  await expect(page.getByRole('heading', { name: 'This link has expired' })).toBeVisible();
  await fits(page, 'expired');
  expect((await vidence.status(created)).status).toBe('expired');
});
