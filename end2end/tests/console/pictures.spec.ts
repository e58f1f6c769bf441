// What the requester sees of a video besides the player, and what can be saved of it.
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

import { expectFits } from '../../support/page/screens.ts';
import { Requester, submitVideo } from '../../support/page/requester.ts';
import { expect, test } from '../../support/server/vidence.ts';

/** Half a minute in 1920×1080 with a keyframe a second. */
const VIDEO = '../crates/test-support/fixtures/five_scenes_1080p.mp4';

test('the requester sees ticked steps, any moment in full and all of it at once, and saves the receipt', async ({
  page,
  vidence,
  consoleErrors,
}) => {
  const requester = new Requester(page);
  const created = await requester.createRequest(vidence.url('/'), 'Show the box.\nThen the grid.');
  await submitVideo(vidence, created, readFileSync(VIDEO), [{ line: 2, at_ms: 19_000 }]);
  await requester.waitForDuration();

  const ticked = page.getByRole('listitem').filter({ hasText: '2. Then the grid.' });
  await ticked.getByRole('button', { name: '0:19' }).click();
  const player = page.frameLocator('iframe').locator('video');
  await expect.poll(() => player.evaluate((it: HTMLVideoElement) => it.currentTime)).toBeCloseTo(19, 1);

  await page.getByRole('button', { name: 'This moment in full size' }).click();
  const moment = page.getByRole('img', { name: 'The moment at 0:19' });
  await expect.poll(() => moment.evaluate((it: HTMLImageElement) => it.naturalWidth)).toBe(1920);
  await page.getByText('All of it in one picture').click();
  const sheet = page.getByRole('img', { name: 'All of it, in small pictures' });
  await expect.poll(() => sheet.evaluate((it: HTMLImageElement) => it.naturalWidth)).toBe(1560);
  await expectFits(page, 'console-pictures');

  // It says when it fails, and can be pressed again.
  await page.route('**/receipt', (route) => route.abort(), { times: 1 });
  await page.getByRole('button', { name: 'Save the signed receipt' }).click();
  const again = page.getByRole('button', { name: 'The server doesn’t answer. Check your connection and try again.' });
  await expect(again).toBeVisible();
  consoleErrors.length = 0;
  await expectFits(page, 'console-receipt-failed');
  const saving = page.waitForEvent('download');
  await again.click();
  const receipt = await readFile(await (await saving).path(), 'utf8');
  await expect(page.getByRole('button', { name: 'Save the signed receipt' })).toBeVisible();
  const { video } = await vidence.fetchStatus(created);
  const fetched = await vidence.fetchAsCreator(created, `/videos/${video.id}/receipt`);
  // Both are signed, at moments of their own.
  expect(claims(receipt)).toEqual(claims(await fetched.text()));
});

/** What a receipt says, but when it was signed. */
function claims(receipt: string) {
  const { iat, ...others } = JSON.parse(Buffer.from(receipt.split('.')[1], 'base64url').toString());
  return others;
}
