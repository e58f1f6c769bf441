// A chosen file of any kind: what the page says of it before it is sent, and how it is read.
import { writeFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { hdrVideo, phoneVideo, videoIn } from '../../support/device/phone_video.ts';
import { expectFits } from '../../support/page/screens.ts';
import { Witness } from '../../support/page/witness.ts';
import { type Created, type Vidence, expect, test } from '../../support/server/vidence.ts';

const FILE = { name: 'IMG_0001.MOV', mimeType: 'video/quicktime' };

/** Opens the link of a new request. */
async function open(page: Page, vidence: Vidence): Promise<[Created, Witness]> {
  const created = await vidence.createRequest();
  const witness = new Witness(page);
  await witness.open(created.submission_url);
  return [created, witness];
}

/**
 * Holds reads of files back, as a picker of a cloud does. Returns functions that let this many of them through, and that
 * count those that are held or done.
 */
async function holdReads(page: Page) {
  await page.addInitScript(() => {
    const read = Blob.prototype.arrayBuffer;
    const known = Object.assign(window as any, { reads: 0, allowed: 0, waiting: [] });
    Blob.prototype.arrayBuffer = async function () {
      if (known.reads++ >= known.allowed) await new Promise((done) => known.waiting.push(done));
      return read.call(this);
    };
  });
  const allow = (reads: number) =>
    page.evaluate((reads) => {
      const known = window as any;
      known.allowed += reads;
      for (const done of known.waiting.splice(0, reads)) done();
    }, reads);
  return { allow, count: () => page.evaluate(() => (window as any).reads as number) };
}

test('a video is taken by what it is, not by its name', async ({ page, vidence }) => {
  const [created, witness] = await open(page, vidence);
  for (const [name, bytes] of [
    ['VID_0001.3gp', videoIn('3gp')],
    ['screen.mkv', videoIn('mkv')],
    ['without an extension', phoneVideo()],
  ] as const) {
    const path = test.info().outputPath(name);
    writeFileSync(path, bytes);
    await witness.chooseFile(path);
    await witness.waitForState('review');
    await expect(witness.figure('name')).toHaveText(name);
    // The server has recognized it, too.
    await expect(witness.notice('complete').first()).toBeVisible();
    const { takes } = await vidence.fetchState(created);
    expect(takes).toMatchObject([{ offset: bytes.length }]);
    await witness.recordAgainButton.click();
    await witness.confirmRecordAgainButton.click();
  }
});

test('a video that this browser can’t show is sent as it is, without a player: HDR in HEVC, with sound', async ({
  page,
  vidence,
}) => {
  const [created, witness] = await open(page, vidence);
  const buffer = hdrVideo();
  await witness.chooseFile({ ...FILE, buffer });
  await witness.waitForState('review');
  await expect(witness.notice('not-playable')).toHaveText(
    'There’s no preview because this browser can’t show this video. You can send it all the same.',
  );
  await expect(witness.reviewVideo).toHaveCount(0);
  await expect(witness.figure('recorded')).not.toHaveText('0:00');
  await expectFits(page, 'review-no-player');
  await witness.submit();
  expect((await vidence.download(created)).includes(buffer)).toBe(true);
  const { properties } = await vidence.fetchMetadata(created);
  expect([properties.codec, properties.hdr]).toEqual(['hevc', true]);
});

test('a chosen video shows its first frame before it is played', async ({ page, vidence }) => {
  const [, witness] = await open(page, vidence);
  await witness.chooseFile({ ...FILE, buffer: phoneVideo() });
  await witness.waitForState('review');
  // At 0 nothing would be sought, and iOS would show black.
  const at = () => witness.reviewVideo.evaluate((video: HTMLVideoElement) => video.currentTime);
  await expect.poll(at).toBeGreaterThan(0);
  expect(await at()).toBeLessThan(0.05);
});

test('name, size and progress are shown while a file is read', async ({ page, vidence }) => {
  const reads = await holdReads(page);
  const [, witness] = await open(page, vidence);
  // Four pieces, of which the last one is short.
  const buffer = Buffer.concat([phoneVideo(), Buffer.from([0, 0x60, 0, 0]), Buffer.from('free'), Buffer.alloc(0x60_0000 - 8)]);
  await witness.chooseFile({ ...FILE, buffer });
  await expect(witness.notice('loading').first()).toBeVisible();
  await expect(witness.liveRegion).toHaveText('Loading the video…');
  await expectFits(page, 'idle-reading');
  await reads.allow(1);
  await witness.waitForState('review');
  await expect(witness.figure('name')).toHaveText(FILE.name);
  const size = Math.ceil(buffer.length / 100_000) / 10;
  await expect(witness.figure('size')).toHaveText(`${size} MB`);
  await expect(witness.figure('read')).toHaveText('0%');
  await expect(witness.reviewVideo).toHaveCount(0);
  await reads.allow(2);
  await expect(witness.figure('read')).toHaveText(`${Math.floor((100 * 2 * 2 ** 21) / buffer.length)}%`);
  await expectFits(page, 'review-reading');
  await reads.allow(100);
  await expect(witness.reviewVideo).toBeVisible();
});

test('the name of a file is known after a reload, and it is saved by that name', async ({ page, vidence }) => {
  const [, witness] = await open(page, vidence);
  await witness.chooseFile({ ...FILE, buffer: phoneVideo() });
  await witness.waitForState('review');
  await witness.waitUntilStored();
  page.on('dialog', (dialog) => dialog.accept());
  await page.reload();
  await witness.waitForState('review');
  await expect(witness.figure('name')).toHaveText(FILE.name);
  const saving = page.waitForEvent('download');
  await witness.action('save').click();
  expect((await saving).suggestedFilename()).toBe(FILE.name);
});

test('a file that changes while it is read can be chosen again', async ({ page, vidence }) => {
  const reads = await holdReads(page);
  const [created, witness] = await open(page, vidence);
  const [bytes, path] = [phoneVideo(), test.info().outputPath(FILE.name)];
  writeFileSync(path, bytes);
  await witness.chooseFile(path);
  await reads.allow(1);
  await witness.waitForState('review');
  writeFileSync(path, phoneVideo('+48.8577+002.2950/'));
  await reads.allow(100);
  await witness.waitForState('ended-unreadable');
  await witness.action('discard').click();
  await witness.waitForState('idle');
  writeFileSync(path, bytes);
  await witness.chooseFile(path);
  await witness.waitForState('review');
  await witness.submit();
  expect((await vidence.download(created)).includes(bytes)).toBe(true);
});

test('an empty file, as of a picker that has nothing to read, can be chosen again', async ({ page, vidence }) => {
  const [, witness] = await open(page, vidence);
  await witness.chooseFile({ ...FILE, buffer: Buffer.alloc(0) });
  await witness.waitForState('ended-unreadable');
  await witness.action('discard').click();
  await witness.waitForState('idle');
});

test.describe('where only small videos are taken', () => {
  test.use({ flags: ['--max-video-bytes', '100000'] });

  test('a file that is too large is refused before it is read', async ({ page, vidence }) => {
    const reads = await holdReads(page);
    const [, witness] = await open(page, vidence);
    await witness.chooseFile({ ...FILE, buffer: phoneVideo() });
    await witness.waitForState('ended-too-large');
    expect(await reads.count()).toBe(0);
  });
});

for (const [system, userAgent, accepts] of [
  ['Android', 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/142.0.0.0 Mobile Safari/537.36', 'video/*'],
  ['iOS', 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile Safari/604.1', 'video/*'],
  [
    'Windows',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36',
    'video/*,.mp4,.m4v,.mov,.webm,.mkv,.3gp,.3g2',
  ],
] as const) {
  test.describe(`on ${system}`, () => {
    test.use({ userAgent, hasTouch: system !== 'Windows', isMobile: system !== 'Windows' });

    test('the picker offers all videos, and phones their camera as well', async ({ page, vidence }) => {
      const [, witness] = await open(page, vidence);
      await witness.waitForState('idle');
      await witness.otherWaysButton.click();
      const fields = witness.main.getByRole('dialog').locator('[data-element=file-input]').filter({ visible: true });
      const offered = await fields.evaluateAll((fields: HTMLInputElement[]) =>
        fields.map((it) => [it.accept, it.getAttribute('capture')]),
      );
      const camera = system === 'Windows' ? [] : [['video/*', 'environment']];
      expect(offered).toEqual([[accepts, null], ...camera]);
    });
  });
}
