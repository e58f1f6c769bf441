import { fits } from './screens.ts';
import { expect, test } from './vidence.ts';
import { Witness } from './witness.ts';

test('a person who refuses the camera learns how to allow it', async ({ page, vidence }) => {
  const created = await vidence.create();
  const witness = new Witness(page);
  await witness.open(created.submission_url);
  await witness.camera.click();
  await witness.is('blocked-denied');
  await expect(page.getByRole('heading', { name: 'Your browser is blocking the camera' })).toBeVisible();
  await expect(page.getByText('Click the icon at the start of the address.')).toBeVisible();
  await expect(witness.retry).toBeEnabled();
  await expect(witness.file).toBeEnabled();
  expect((await vidence.state(created)).takes).toEqual([]);
  await fits(page, 'denied');
});

test('a person who refuses to share the screen can think again, or send a file', async ({ page, vidence }) => {
  await page.addInitScript(() => {
    const real = MediaDevices.prototype.getDisplayMedia;
    Object.assign(window, { asked: 0 });
    MediaDevices.prototype.getDisplayMedia = function (wishes) {
      (window as any).asked += 1;
      return real.call(this, wishes);
    };
  });
  const created = await vidence.create();
  const witness = new Witness(page);
  await witness.open(created.submission_url);
  await witness.does('share-screen').click();
  await witness.is('blocked-no-screen');
  await expect(page.getByRole('heading', { name: 'The screen wasn’t shared' })).toBeVisible();
  await fits(page, 'no-screen');
  await witness.retry.click();
  await expect.poll(() => page.evaluate(() => (window as any).asked)).toBe(2);
  await witness.is('blocked-no-screen');
  await witness.file.setInputFiles('../crates/test-support/fixtures/whole.webm');
  await witness.is('review');
  await witness.sends();
  expect((await vidence.status(created)).status).toBe('submitted');
});
