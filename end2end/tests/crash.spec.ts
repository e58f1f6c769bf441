import { expect, test } from './vidence.ts';
import { fits } from './screens.ts';
import { Witness } from './witness.ts';

test('a server that is killed during a recording loses nothing of it', async ({ page, vidence }) => {
  const [created, witness] = await Witness.invited(page, vidence);
  await witness.recordFor(2);
  await expect.poll(() => vidence.committed(created)).toBeGreaterThan(0);

  const promised = await vidence.committed(created);
  await vidence.stop('SIGKILL');
  await expect(page.getByText('It can’t be uploaded right now.')).toBeVisible();
  await vidence.start();
  expect(await vidence.committed(created)).toBeGreaterThanOrEqual(promised);

  // It goes on by itself, from where it stood.
  await expect.poll(() => vidence.committed(created)).toBeGreaterThan(promised);
  await witness.stop.click();
  await expect(witness.review).toBeVisible();
  const recorded = await witness.recorded();
  await witness.send.click();
  await expect(page.getByRole('heading', { name: 'Video received' })).toBeVisible();
  const downloaded = await vidence.download(created);
  expect(downloaded.subarray(-recorded.length).equals(recorded)).toBe(true);
});

test('what is recorded while the server is away arrives when it is back', async ({ page, vidence }) => {
  const [created, witness] = await Witness.invited(page, vidence);
  await vidence.stop();
  await witness.recordFor(2);
  await witness.stop.click();
  await expect(witness.review).toBeVisible();
  const recorded = await witness.recorded();
  await witness.send.click();
  await expect(page.getByText('It can’t be uploaded right now.')).toBeVisible();
  await fits(page, 'offline');

  await vidence.start();
  await expect(page.getByRole('heading', { name: 'Video received' })).toBeVisible();
  const downloaded = await vidence.download(created);
  expect(downloaded.subarray(-recorded.length).equals(recorded)).toBe(true);
});
