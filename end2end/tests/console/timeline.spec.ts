// The timeline below the player: it seeks, shows where stills and ticked steps are, and how long the bytes took to arrive.
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';

import { Requester, submitVideo } from '../../support/page/requester.ts';
import { expectFits } from '../../support/page/screens.ts';
import { expect, test } from '../../support/server/vidence.ts';

/** Half a minute in 1920×1080 with a keyframe a second. */
const VIDEO = '../crates/test-support/fixtures/five_scenes_1080p.mp4';

test('a click on the timeline goes to a moment and shows it in full size, and keys go on from there', async ({
  page,
  vidence,
}) => {
  const requester = new Requester(page);
  const created = await requester.createRequest(vidence.url('/'), 'Show the box.\nThen the grid.');
  await submitVideo(vidence, created, readFileSync(VIDEO), [{ line: 2, at_ms: 15_000 }]);
  expect(await requester.waitForDuration()).toBeCloseTo(30, 1);
  const slider = page.getByRole('slider', { name: 'Second of the video' });
  const played = () => requester.video.evaluate((it: HTMLVideoElement) => it.currentTime);

  const box = (await slider.boundingBox())!;
  await slider.click({ position: { x: box.width * 0.6, y: box.height / 2 } });
  await expect.poll(played).toBeGreaterThan(17);
  expect(await played()).toBeLessThan(19);
  const clicked = await played();
  const picture = page.getByRole('img', { name: 'The moment at 0:1' });
  const width = () => picture.evaluate((it: HTMLImageElement) => it.naturalWidth);
  await expect.poll(width).toBe(1920);
  await slider.press('ArrowRight');
  await expect.poll(played).toBeCloseTo(clicked + 0.5, 2);
  await slider.press('Home');
  await expect.poll(played).toBe(0);
  await requester.seek(12);
  await expect(slider).toHaveValue('12');

  await page.getByRole('button', { name: 'This moment in full size' }).click();
  await expect(page.getByRole('img', { name: 'The moment at 0:12' })).toBeVisible();
  await expect.poll(width).toBe(1920);

  const { stills, arrival, request_created_at, submitted_at, sealed_at } = await vidence.fetchMetadata(created);
  for (const [name, at] of [
    ['Asked for', request_created_at],
    ['Sealed', sealed_at],
    ['Submitted', submitted_at],
  ]) {
    const shown = at.replace('T', ' ').replace(/\.\d+Z$/, ' UTC');
    await expect(page.locator('.metadata__entry', { hasText: name })).toContainText(shown);
  }
  const lines = stills.pictures.map((it: { at_ms: number }) => `M${Math.floor(it.at_ms / 30)} 4v12`);
  // The file was there at once, in thousandths of its length.
  const arrived = Math.max(4, Math.floor(arrivalMs(arrival) / 30));
  expect(await drawn(page)).toEqual([lines.join(''), 'M500 12h0', 'M0 5h1000', `M0 15h${arrived}`]);
  const seconds = String(Math.floor(arrivalMs(arrival) / 1000)).padStart(2, '0');
  await expect(page.locator('.timeline')).toHaveText(`Length0:30Arrival0:${seconds}`);
  await expectFits(page, 'console-timeline');
});

test('the timeline shows that a recording arrived while it was made', async ({ page, vidence }) => {
  const requester = new Requester(page);
  const created = await requester.createRequest(vidence.url('/'));
  await requester.recordAsWitness(created, 16);
  await requester.waitForDuration();
  const { arrival, properties } = await vidence.fetchMetadata(created);
  const took = arrivalMs(arrival);
  const longest = Math.max(took, properties.duration_ms);
  const [video, arrived] = [properties.duration_ms, took].map((it) => Math.floor((1000 * it) / longest));
  // With the stills, which a busy machine makes late.
  await expect.poll(() => drawn(page), { timeout: 40_000 }).toHaveLength(4);
  expect((await drawn(page)).slice(2)).toEqual([`M0 5h${video}`, `M0 15h${arrived}`]);
  // Nearly as long as the recording: its first pieces come two to three seconds after its beginning.
  expect(took).toBeGreaterThan(properties.duration_ms / 2);
});

const arrivalMs = (arrival: { first_byte_at: string; last_byte_at: string }) =>
  Date.parse(arrival.last_byte_at) - Date.parse(arrival.first_byte_at);

/** The paths of stills, ticks, length and arrival. */
const drawn = (page: Page) =>
  page.locator('.timeline path').evaluateAll((paths) => paths.map((it) => it.getAttribute('d')));
