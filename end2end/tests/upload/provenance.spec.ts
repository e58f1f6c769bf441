// What the metadata says of how a video arrived: by the page's own words, and by the server's clock.
import type { Page } from '@playwright/test';
import { phoneVideo } from '../../support/device/phone_video.ts';
import { type Vidence, expect, test } from '../../support/server/vidence.ts';
import { Witness } from '../../support/page/witness.ts';

/** Records for so long, submits, and expects that the bytes came meanwhile. */
async function expectLive(page: Page, vidence: Vidence, seconds: number): Promise<void> {
  const [created, witness] = await Witness.openAtCamera(page, vidence);
  await witness.recordFor(seconds);
  await witness.stopRecording();
  await witness.submit();
  const { captured_as, arrival } = await vidence.fetchMetadata(created);
  expect([captured_as, arrival.while_recorded]).toEqual(['recorded', true]);
}

test('a recording arrives while it is made', async ({ page, vidence }) => expectLive(page, vidence, 8));

test('a short recording arrives while it is made', async ({ page, vidence }) => expectLive(page, vidence, 4));

test('a chosen file does not arrive while it is made', async ({ page, vidence }) => {
  const created = await vidence.createRequest();
  const witness = new Witness(page);
  await witness.open(created.submission_url);
  await witness.chooseFile({ name: 'IMG_0001.MOV', mimeType: 'video/quicktime', buffer: phoneVideo() });
  await witness.waitForState('review');
  await witness.submit();
  const { captured_as, arrival } = await vidence.fetchMetadata(created);
  expect([captured_as, arrival.while_recorded]).toEqual(['file', false]);
});

test('a recording that is kept on the device arrives afterwards', async ({ page, vidence }) => {
  const [created, witness] = await Witness.openAtCamera(page, vidence);
  await page.route('**/takes', (route) => route.abort());
  await witness.recordFor(4);
  await witness.stopRecording();
  await page.unrouteAll();
  await witness.submit();
  const { captured_as, arrival } = await vidence.fetchMetadata(created);
  expect([captured_as, arrival.while_recorded]).toEqual(['recorded', false]);
});
