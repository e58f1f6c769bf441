import { expect, test } from './vidence.ts';
import { fits } from './screens.ts';
import { Tape } from './tape.ts';
import { Witness } from './witness.ts';

test('a server that is killed during a recording loses nothing of it', async ({ page, vidence }) => {
  const [created, witness] = await Witness.invited(page, vidence);
  await witness.recordFor(2);
  await expect.poll(() => vidence.committed(created)).toBeGreaterThan(0);

  const promised = await vidence.committed(created);
  await vidence.stop('SIGKILL');
  await expect(witness.notice('retrying').first()).toBeVisible();
  await vidence.start();
  expect(await vidence.committed(created)).toBeGreaterThanOrEqual(promised);

  // It goes on by itself, from where it stood.
  await expect.poll(() => vidence.committed(created)).toBeGreaterThan(promised);
  await witness.stops();
  await witness.sends();
  const recorded = witness.tape.bytes();
  Tape.expectWhole(await vidence.download(created), recorded);
});

test('what is recorded while the server is away arrives when it is back', async ({ page, vidence }) => {
  const [created, witness] = await Witness.invited(page, vidence);
  await vidence.stop();
  await witness.recordFor(2);
  await witness.stops();
  await witness.send.click();
  await witness.is('submitting');
  await expect(witness.notice('retrying').first()).toBeVisible();
  await fits(page, 'submitting-waiting');

  await vidence.start();
  await expect(witness.main).toHaveAttribute('data-state', 'submitted', { timeout: 40_000 });
  const recorded = witness.tape.bytes();
  Tape.expectWhole(await vidence.download(created), recorded);
});
