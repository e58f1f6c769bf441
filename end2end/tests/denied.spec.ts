import { expect, test } from './vidence.ts';
import { fits } from './screens.ts';

test('a person who refuses the camera learns how to allow it', async ({ page, vidence }) => {
  const created = await vidence.create();
  await page.goto(created.submission_url);
  await page.getByRole('button', { name: 'Turn on the camera' }).click();
  await expect(page.getByRole('heading', { name: 'The camera is blocked for this page' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Try again' })).toBeEnabled();
  expect((await vidence.state(created)).takes).toEqual([]);
  await fits(page, 'denied');
});
