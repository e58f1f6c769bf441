import { fits } from './screens.ts';
import { expect, test } from './vidence.ts';
import { Witness } from './witness.ts';

test('a person who refuses the camera learns how to allow it', async ({ page, vidence }) => {
  const created = await vidence.create();
  const witness = new Witness(page);
  await witness.open(created.submission_url);
  await witness.camera.click();
  await witness.is('blocked-denied');
  await expect(page.getByRole('heading', { name: /blocked/ })).toBeVisible();
  await expect(witness.retry).toBeEnabled();
  await expect(witness.file).toBeEnabled();
  expect((await vidence.state(created)).takes).toEqual([]);
  await fits(page, 'denied');
});

test('a person who refuses to share the screen can think again, or send a file', async ({ page, vidence }) => {
  const created = await vidence.create();
  const witness = new Witness(page);
  await witness.open(created.submission_url);
  await witness.does('screen').click();
  await witness.is('blocked-no-screen');
  await expect(witness.retry).toBeEnabled();
  await expect(witness.file).toBeEnabled();
  await fits(page, 'no-screen');
});
