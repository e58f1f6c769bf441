// Files can be dropped on the page and pasted into it, unless it records.
import { writeFileSync } from 'node:fs';

import type { Locator } from '@playwright/test';

import { phoneVideo } from '../../support/device/phone_video.ts';
import { FileDrag, fireFileEvent, pageFile } from '../../support/page/dropped_files.ts';
import { expectFits } from '../../support/page/screens.ts';
import { RecorderSpy } from '../../support/page/recorder_spy.ts';
import { Witness } from '../../support/page/witness.ts';
import { expect, test } from '../../support/server/vidence.ts';

/** Writes a file of this machine, and returns its path. */
function fileOf(name: string, bytes: Buffer | string): string {
  const path = test.info().outputPath(name);
  writeFileSync(path, bytes);
  return path;
}

test('a dropped video is sent, and the page shows where to drop it', async ({ page, vidence }) => {
  const created = await vidence.createRequest();
  const witness = new Witness(page);
  await witness.open(created.submission_url);
  await expect(witness.cameraButton).toBeEnabled();
  const bytes = phoneVideo();
  const area = page.getByText('Drop the video here');
  const file = fileOf('IMG_0001.MOV', bytes);

  const drag = await FileDrag.over(page, file);
  await expect(area).toBeVisible();
  await expectFits(page, 'idle-dropping');
  // Chromium's driver can't drag them out of the page.
  const files = [pageFile('IMG_0001.MOV', bytes)];
  await page.evaluate(fireFileEvent, { name: 'dragenter' as const, files, at: 'main' });
  await page.evaluate(fireFileEvent, { name: 'dragenter' as const, files });
  await page.evaluate(fireFileEvent, { name: 'dragleave' as const, files, at: 'main' });
  // A frame later, so that it would be hidden by now.
  await page.evaluate(() => new Promise(requestAnimationFrame));
  await expect(area).toBeVisible();
  await page.evaluate(fireFileEvent, { name: 'dragleave' as const, files });
  await expect(area).toBeHidden();
  await drag.drop();
  await witness.waitForState('review');
  await expect(area).toBeHidden();
  await expect(witness.figure('name')).toHaveText('IMG_0001.MOV');
  await witness.submit();
  expect((await vidence.download(created)).includes(bytes)).toBe(true);
});

test('a pasted video is sent', async ({ page, vidence }) => {
  const created = await vidence.createRequest();
  const witness = new Witness(page);
  await witness.open(created.submission_url);
  await expect(witness.cameraButton).toBeEnabled();
  const bytes = phoneVideo();
  await page.evaluate(fireFileEvent, { name: 'paste' as const, files: [] });
  await page.evaluate(fireFileEvent, { name: 'paste' as const, files: [pageFile('IMG_0001.MOV', bytes)] });
  await witness.waitForState('review');
  await witness.submit();
  expect((await vidence.download(created)).includes(bytes)).toBe(true);
});

test('several files, and a file that is no video, are refused before anything is sent', async ({ page, vidence }) => {
  const sent: string[] = [];
  page.on('request', (request) => {
    if (['POST', 'PATCH'].includes(request.method())) sent.push(request.url());
  });
  const created = await vidence.createRequest();
  const witness = new Witness(page);
  await witness.open(created.submission_url);
  await expect(witness.cameraButton).toBeEnabled();
  const video = fileOf('IMG_0001.MOV', phoneVideo());
  const diary = fileOf('diary.mp4', 'Dear diary, '.repeat(1000));

  await (await FileDrag.over(page, video, diary)).drop();
  const several = witness.notice('several-files');
  await expect(several).toBeVisible();
  await expect(witness.liveRegion).toHaveText('Please choose just one video.');
  await expectFits(page, 'idle-several-files');

  await (await FileDrag.over(page, diary)).drop();
  const refused = witness.notice('no-video-file');
  await expect(refused).toBeVisible();
  await expect(several).toHaveCount(0);
  await expect(witness.liveRegion).toHaveText(/^We can’t take this file\./);
  await expectFits(page, 'idle-no-video');

  // A new choice begins anew.
  await (await FileDrag.over(page, video, diary)).drop();
  await expect(refused).toHaveCount(0);
  await witness.chooseFile(diary);
  await expect(refused).toBeVisible();
  await witness.waitForState('idle');
  expect(sent).toEqual([]);

  await witness.chooseFile(video);
  await witness.waitForState('review');
});

test('what becomes of a dropped file is in sight, also where the other ways were open', async ({ page, vidence }) => {
  const created = await vidence.createRequest();
  const witness = new Witness(page);
  await witness.open(created.submission_url);
  await expect(witness.cameraButton).toBeEnabled();
  await page.getByRole('button', { name: 'Other ways' }).click();
  await expect(page.getByText('You can also drop or paste a video here.')).toBeVisible();
  // A picture of an iPhone begins like a video.
  const head = Buffer.from('\0\0\0\x14ftypheic\0\0\0\0mif1', 'latin1');
  const drag = await FileDrag.over(page, fileOf('IMG_0001.HEIC', Buffer.concat([head, Buffer.alloc(10_000)])));
  await expectOnTop(page.getByText('Drop the video here'));
  await drag.drop();
  await expectOnTop(witness.notice('no-video-file').first());
  expect((await vidence.fetchState(created)).takes).toEqual([]);
});

/** Nothing lies over its middle. */
async function expectOnTop(locator: Locator): Promise<void> {
  await expect(locator).toBeVisible();
  await expect
    .poll(() =>
      locator.evaluate((element: HTMLElement) => {
        // What lets presses through isn't found by a point.
        element.style.pointerEvents = 'auto';
        const { left, top, width, height } = element.getBoundingClientRect();
        const found = document.elementFromPoint(left + width / 2, top + height / 2);
        element.style.pointerEvents = '';
        return element.contains(found);
      }),
    )
    .toBe(true);
}

test('nothing happens when a file is dropped or pasted during a recording', async ({ page, vidence }) => {
  const [created, witness] = await Witness.openAtCamera(page, vidence);
  const file = fileOf('IMG_0001.MOV', phoneVideo());
  for (const record of [() => Promise.resolve(), () => witness.recordFor(1)]) {
    await record();
    const drag = await FileDrag.over(page, file);
    await expect(page.getByText('Drop the video here')).toBeHidden();
    await drag.drop();
    const files = [pageFile('IMG_0001.MOV', phoneVideo())];
    await page.evaluate(fireFileEvent, { name: 'paste' as const, files });
    // By itself a browser would open the file in place of the page.
    expect(await page.evaluate(fireFileEvent, { name: 'dragover' as const, files })).toBe(true);
    expect(await page.evaluate(fireFileEvent, { name: 'drop' as const, files })).toBe(true);
  }
  const seconds = await witness.seconds('recorded');
  await witness.waitForSeconds(seconds + 1);
  expect(page.url()).toBe(created.submission_url);
  await witness.stopRecording();
  await witness.submit();
  RecorderSpy.expectSealed(await vidence.download(created), witness.spy.bytes());
});
