// A file can be sent: its upload resumes, and what can't become a video is refused with an explanation.
import { phoneVideo } from '../../support/device/phone_video.ts';
import { expectFits } from '../../support/page/screens.ts';
import { MEGABIT } from '../../support/network/network_proxy.ts';
import { limitStoredPieces } from '../../support/device/storage_faults.ts';
import { expect, test } from '../../support/server/vidence.ts';
import { Witness } from '../../support/page/witness.ts';

for (const [what, place] of [
  ['a video with a location is submitted only after a warning', '+48.8577+002.2950/'],
  ['a video without a location is submitted without a warning', undefined],
] as const) {
  test(what, async ({ page, vidence }) => {
    const created = await vidence.createRequest();
    const witness = new Witness(page);
    await witness.open(created.submission_url);
    const bytes = phoneVideo(place);
    await witness.chooseFile({ name: 'IMG_0001.MOV', mimeType: 'video/quicktime', buffer: bytes });
    await witness.waitForState('review');
    await expect(witness.notice('complete').first()).toBeVisible();
    if (place) {
      await expect(witness.notice('has-location').first()).toBeVisible();
      await expectFits(page, 'review-located');
    } else {
      await expect(witness.notice('has-location')).toHaveCount(0);
    }
    expect((await vidence.fetchStatus(created)).status).toBe('awaiting_submission');
    expect(await witness.waitForDuration(2)).toBeCloseTo(3, 0);
    await witness.submit();
    const sent = await vidence.download(created);
    expect(sent.includes(bytes)).toBe(true);
  });
}

test('a submission resumed after a reload warns of a location as well', async ({ page, vidence }) => {
  await page.route('**/takes/*', (route) => route.abort());
  const created = await vidence.createRequest();
  const witness = new Witness(page);
  await witness.open(created.submission_url);
  const buffer = phoneVideo('+48.8577+002.2950/');
  await witness.chooseFile({ name: 'IMG_0001.MOV', mimeType: 'video/quicktime', buffer });
  await witness.waitForState('review');
  await witness.submitButton.click();
  await witness.waitForState('submitting');
  await witness.waitUntilStored();
  page.on('dialog', (dialog) => dialog.accept());
  await page.reload();
  await witness.waitForState('submitting');
  await page.unrouteAll();
  await witness.waitForState('review');
  await expect(witness.notice('has-location').first()).toBeVisible();
  expect((await vidence.fetchStatus(created)).status).toBe('awaiting_submission');
  await witness.submit();
  expect((await vidence.download(created)).includes(buffer)).toBe(true);
});

test('a file that the server doesn’t take is refused with an explanation, and another can be chosen', async ({ page, vidence }) => {
  const created = await vidence.createRequest();
  const witness = new Witness(page);
  await witness.open(created.submission_url);
  // A picture in JPEG 2000 begins like a video.
  const buffer = Buffer.concat([Buffer.from([0, 0, 0, 0x14]), Buffer.from('ftypjp2 \0\0\0\0jp2 '), Buffer.alloc(10_000)]);
  await witness.chooseFile({ name: 'scan.jp2', mimeType: '', buffer });
  await witness.waitForState(/^ended-(refused|unplayable)$/);
  await expect(page.getByRole('heading', { name: /^This video can’t be (accepted|played)$/ })).toBeVisible();
  await expectFits(page, 'ended-refused');
  await witness.action('discard').click();
  await witness.waitForState('idle');
  expect((await vidence.fetchStatus(created)).status).toBe('awaiting_submission');
  const bytes = phoneVideo();
  await witness.chooseFile({ name: 'IMG_0001.MOV', mimeType: 'video/quicktime', buffer: bytes });
  await witness.waitForState('review');
  await witness.submit();
  expect((await vidence.download(created)).includes(bytes)).toBe(true);
});

test('a truncated file is refused once the server has tried to seal it', async ({ page, vidence }) => {
  const created = await vidence.createRequest();
  const witness = new Witness(page);
  await witness.open(created.submission_url);
  // Cameras write the index at the end of the file.
  const buffer = phoneVideo().subarray(0, -2000);
  await witness.chooseFile({ name: 'IMG_0003.MOV', mimeType: 'video/quicktime', buffer });
  await witness.waitForState('review');
  await witness.submitButton.click();
  await witness.waitForState('ended-unplayable');
  await expect(page.getByRole('heading', { name: 'This video can’t be played' })).toBeVisible();
  expect((await vidence.fetchStatus(created)).status).toBe('awaiting_submission');
});

test.describe('where only small videos are taken', () => {
  test.use({ flags: ['--max-video-bytes', '100000'] });

  test('a file that is too large is refused before its upload', async ({ page, vidence }) => {
    const sent: string[] = [];
    page.on('request', (request) => {
      if (['POST', 'PATCH'].includes(request.method())) sent.push(`${request.method()} ${request.url()}`);
    });
    const created = await vidence.createRequest();
    const witness = new Witness(page);
    await witness.open(created.submission_url);
    const bytes = phoneVideo();
    expect(bytes.length).toBeGreaterThan(100_000);
    await witness.chooseFile({ name: 'long.mov', mimeType: 'video/quicktime', buffer: bytes });
    await witness.waitForState('ended-too-large');
    expect(sent).toEqual([]);
    await expect(page.getByRole('heading', { name: 'This video is too large' })).toBeVisible();
    await expectFits(page, 'ended-too-large');
    expect(await vidence.committedBytes(created)).toBe(0);
    await witness.action('discard').click();
    await witness.waitForState('idle');
  });
});

test('while a file is sent the page shows how much of it has arrived', async ({ page, vidence, network }) => {
  const created = await vidence.createRequest();
  const witness = new Witness(page);
  await witness.open(network.url(`/r/${created.id}`));
  network.limitRate(MEGABIT);
  const video = phoneVideo();
  // A box that players skip: long enough to be seen on its way.
  const rest = Buffer.concat([Buffer.from([0, 0x40, 0, 0]), Buffer.from('free'), Buffer.alloc(0x40_0000 - 8)]);
  const buffer = Buffer.concat([video, rest]);
  await witness.chooseFile({ name: 'IMG_0003.MOV', mimeType: 'video/quicktime', buffer });
  await witness.submitButton.click();
  await witness.waitForState('submitting');
  const percent = async () => parseInt((await witness.figure('percent').textContent()) ?? '', 10);
  await expect.poll(percent, { timeout: 30_000 }).toBeGreaterThan(0);
  const shown = await percent();
  expect(shown).toBeLessThan(100);
  // Of what the server has by now, which can only be more.
  expect(shown).toBeLessThanOrEqual((100 * (await vidence.committedBytes(created))) / buffer.length);
  const bar = await witness.part('progress').evaluate((bar: HTMLProgressElement) => bar.value);
  expect(100 * bar).toBeGreaterThanOrEqual(shown);
  expect(bar).toBeLessThan(1);
  await expectFits(page, 'submitting-file');
  network.limitRate(Infinity);
  await witness.waitForState('submitted');
});

test('the upload of a file resumes after a reload, without choosing it again', async ({ page, vidence }) => {
  const created = await vidence.createRequest();
  const witness = new Witness(page);
  await page.route('**/takes/*', (route) => route.abort());
  await witness.open(created.submission_url);
  const bytes = phoneVideo();
  await witness.chooseFile({ name: 'IMG_0002.MOV', mimeType: 'video/quicktime', buffer: bytes });
  await witness.waitForState('review');
  await witness.waitUntilStored();
  page.on('dialog', (dialog) => dialog.accept());
  await page.unrouteAll();
  await page.reload();
  await witness.waitForState('review');
  await witness.submit();
  expect((await vidence.download(created)).includes(bytes)).toBe(true);
});

test('a file that this browser can’t play is sent after a notice', async ({ page, vidence }) => {
  const created = await vidence.createRequest();
  const witness = new Witness(page);
  await witness.open(created.submission_url);
  const bytes = phoneVideo(undefined, 'mpeg4');
  await witness.chooseFile({ name: 'IMG_0001.MOV', mimeType: 'video/quicktime', buffer: bytes });
  await witness.waitForState('review');
  await expect(witness.notice('not-playable').first()).toBeVisible();
  await expect(witness.figure('recorded')).toHaveText('?');
  await expectFits(page, 'review-no-player');
  await witness.submit();
  expect((await vidence.download(created)).includes(bytes)).toBe(true);
});

test('a file that can no longer be read can be chosen again', async ({ page, vidence }) => {
  await page.addInitScript(() => {
    const read = Blob.prototype.arrayBuffer;
    Blob.prototype.arrayBuffer = function () {
      const isChanged = !(window as any).isWhole;
      const error = new DOMException('The file was changed', 'NotReadableError');
      return isChanged ? Promise.reject(error) : read.call(this);
    };
  });
  const created = await vidence.createRequest();
  const witness = new Witness(page);
  await witness.open(created.submission_url);
  const file = { name: 'IMG_0001.MOV', mimeType: 'video/quicktime', buffer: phoneVideo() };
  await witness.chooseFile(file);
  await witness.waitForState('ended-unreadable');
  await expect(page.getByRole('heading', { name: 'This file can’t be read any more' })).toBeVisible();
  await expectFits(page, 'ended-unreadable');
  await witness.action('discard').click();
  await witness.waitForState('idle');
  await page.evaluate(() => Object.assign(window, { isWhole: true }));
  await witness.chooseFile(file);
  await witness.waitForState('review');
  await witness.submit();
  expect((await vidence.download(created)).includes(file.buffer)).toBe(true);
});

test('a fully uploaded file survives a reload, even if the device had no room for it', async ({ page, vidence }) => {
  await limitStoredPieces(page, 0, false);
  const created = await vidence.createRequest();
  const witness = new Witness(page);
  await witness.open(created.submission_url);
  const bytes = phoneVideo();
  await witness.chooseFile({ name: 'IMG_0001.MOV', mimeType: 'video/quicktime', buffer: bytes });
  await expect(witness.notice('complete').first()).toBeVisible();
  await page.reload();
  await witness.waitForState('review');
  await witness.submit();
  expect((await vidence.download(created)).includes(bytes)).toBe(true);
});
