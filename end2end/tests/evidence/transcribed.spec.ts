// Where what is said is turned into text, the page says so, and sends that it did.
import { expectFits } from '../../support/page/screens.ts';
import { Witness } from '../../support/page/witness.ts';
import { testWithTranscriber as test } from '../../support/server/transcriber.ts';
import { expect } from '../../support/server/vidence.ts';

test('a recording whose sender was told is transcribed, with its ticks', async ({ page, vidence }) => {
  const created = await vidence.createRequest('Show the dent.\nThen the number plate.');
  const witness = new Witness(page);
  await witness.open(created.submission_url);
  await expect(page.getByText('Speech may be turned into text.')).toBeVisible();
  await expectFits(page, 'idle-transcribed');
  await witness.turnOnCamera();
  await witness.startRecording();
  await witness.waitForSeconds(1);
  await page.locator('.step input').first().check({ force: true });
  await witness.stopRecording();
  await witness.submit();
  const metadata = () => vidence.fetchMetadata(created);
  await expect.poll(async () => (await metadata()).transcript.status).toBe('ready');
  expect((await metadata()).ticks).toHaveLength(1);
});
