// Steps that the person ticks are sent with the moment of the video at which they were ticked.
import type { Page } from '@playwright/test';

import { Witness } from '../../support/page/witness.ts';
import { expect, test } from '../../support/server/vidence.ts';

const STEPS = 'Show the dent.\nThen the number plate.\nThen the odometer.';

test('ticks of a recording and of its review reach the agent with their moments', async ({ page, vidence }) => {
  const created = await vidence.createRequest(STEPS);
  const witness = new Witness(page);
  await witness.open(created.submission_url);
  await witness.turnOnCamera();
  await witness.startRecording();
  await witness.waitForSeconds(2);
  await tick(page, 0);
  await witness.stopRecording();
  await witness.waitForDuration(1.5);
  await page.evaluate(() => {
    const review = document.querySelector<HTMLVideoElement>('[data-element=review]')!;
    review.currentTime = 1.2;
    return new Promise((done) => (review.onseeked = done));
  });
  await tick(page, 1);
  await tick(page, 2);
  // It was a mistake.
  await page.locator('.step input').nth(2).uncheck({ force: true });
  await witness.submit();
  const { ticks, properties } = await vidence.fetchMetadata(created);
  const live = ticks[1].at_ms;
  expect(ticks).toEqual([
    { line: 2, text: 'Then the number plate.', at_ms: 1200 },
    { line: 1, text: 'Show the dent.', at_ms: live },
  ]);
  expect(live).toBeGreaterThanOrEqual(2000);
  expect(live).toBeLessThanOrEqual(properties.duration_ms);
});

test('ticks outlive a reload, and one in a review that stands still has its beginning', async ({ page, vidence }) => {
  const created = await vidence.createRequest(STEPS);
  const witness = new Witness(page);
  await witness.open(created.submission_url);
  await witness.turnOnCamera();
  await witness.startRecording();
  await witness.waitForSeconds(1);
  await tick(page, 0);
  await witness.stopRecording();
  await witness.waitUntilStored();
  await page.reload();
  await witness.waitForState('review');
  await expect(page.locator('.step input:checked')).toHaveCount(1);
  await witness.waitForDuration(0.5);
  await expect.poll(() => witness.reviewVideo.evaluate((it: HTMLVideoElement) => it.currentTime)).toBeLessThan(0.1);
  await tick(page, 1);
  await witness.submit();
  const { ticks } = await vidence.fetchMetadata(created);
  const [resting, live] = ticks.map((it: { at_ms: number }) => it.at_ms);
  expect(ticks).toEqual([
    { line: 2, text: 'Then the number plate.', at_ms: resting },
    { line: 1, text: 'Show the dent.', at_ms: live },
  ]);
  // The first frame may begin a little later than the recording.
  expect(resting).toBeLessThan(100);
  expect(live).toBeGreaterThanOrEqual(1000);
});

test('what was ticked of a discarded recording is forgotten', async ({ page, vidence }) => {
  const created = await vidence.createRequest(STEPS);
  const witness = new Witness(page);
  await witness.open(created.submission_url);
  await witness.turnOnCamera();
  // Before the recording there is no moment.
  await tick(page, 0);
  await witness.startRecording();
  await expect(page.locator('.step input:checked')).toHaveCount(0);
  await witness.waitForSeconds(1);
  await tick(page, 0);
  await witness.stopRecording();
  await witness.recordAgain();
  await expect(page.locator('.step input:checked')).toHaveCount(0);
  await witness.recordFor(1);
  await witness.stopRecording();
  await witness.submit();
  expect(await vidence.fetchMetadata(created)).not.toHaveProperty('ticks');
});

test('a file is sent without what was ticked in a recording that is lost', async ({ page, vidence }) => {
  const created = await vidence.createRequest(STEPS);
  const witness = new Witness(page);
  await witness.open(created.submission_url);
  await page.evaluate((id) => sessionStorage.setItem('vidence.ticks', JSON.stringify([id, 3500])), created.id);
  await page.reload();
  await witness.chooseFile('../crates/test-support/fixtures/chromium-vp8-opus.webm');
  await witness.waitForState('review');
  await witness.submit();
  expect(await vidence.fetchMetadata(created)).not.toHaveProperty('ticks');
});

/** Ticks a step: the style sheet shows one at a time. */
async function tick(page: Page, step: number): Promise<void> {
  await page.locator('.step input').nth(step).check({ force: true });
}
