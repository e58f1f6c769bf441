import { room } from './devices.ts';
import { film } from './film.ts';
import { fits } from './screens.ts';
import { expect, test } from './vidence.ts';
import { Witness } from './witness.ts';

for (const [what, place] of [
  ['a film that says where it was made is sent only after a warning', '+48.8577+002.2950/'],
  ['a film that doesn’t say where it was made needs no warning', undefined],
] as const) {
  test(what, async ({ page, vidence }) => {
    const created = await vidence.create();
    const witness = new Witness(page);
    await witness.open(created.submission_url);
    const bytes = film(place);
    await witness.file.setInputFiles({ name: 'IMG_0001.MOV', mimeType: 'video/quicktime', buffer: bytes });
    await witness.is('review');
    await expect(witness.notice('complete').first()).toBeVisible();
    if (place) {
      await expect(witness.notice('has-location').first()).toBeVisible();
      await fits(page, 'review-located');
    } else {
      expect((await vidence.state(created)).takes).toMatchObject([{ has_location: false }]);
      await expect(witness.notice('has-location')).toHaveCount(0);
    }
    expect((await vidence.status(created)).status).toBe('awaiting_submission');
    expect(await witness.plays(2)).toBeCloseTo(3, 0);
    await witness.sends();
    const sent = await vidence.download(created);
    expect(sent.includes(bytes)).toBe(true);
  });
}

test('Send that is remembered over a reload warns of a place as well', async ({ page, vidence }) => {
  await page.route('**/takes/*', (route) => route.abort());
  const created = await vidence.create();
  const witness = new Witness(page);
  await witness.open(created.submission_url);
  const buffer = film('+48.8577+002.2950/');
  await witness.file.setInputFiles({ name: 'IMG_0001.MOV', mimeType: 'video/quicktime', buffer });
  await witness.is('review');
  await witness.send.click();
  await witness.is('submitting');
  await witness.isKept();
  page.on('dialog', (dialog) => dialog.accept());
  await page.reload();
  await witness.is('submitting');
  await page.unrouteAll();
  await witness.is('review');
  await expect(witness.notice('has-location').first()).toBeVisible();
  expect((await vidence.status(created)).status).toBe('awaiting_submission');
  await witness.sends();
  expect((await vidence.download(created)).includes(buffer)).toBe(true);
});

test('a file that is no video is refused in plain words, and another can be chosen', async ({ page, vidence }) => {
  const created = await vidence.create();
  const witness = new Witness(page);
  await witness.open(created.submission_url);
  const buffer = Buffer.from('Dear diary, '.repeat(1000));
  await witness.file.setInputFiles({ name: 'diary.mp4', mimeType: 'video/mp4', buffer });
  await witness.is(/^over-(refused|unplayable)$/);
  await expect(page.getByRole('heading', { name: /^This video can’t be (accepted|played)$/ })).toBeVisible();
  await fits(page, 'ended-refused');
  await witness.does('discard').click();
  await witness.is('idle');
  expect((await vidence.status(created)).status).toBe('awaiting_submission');
  const bytes = film();
  await witness.file.setInputFiles({ name: 'IMG_0001.MOV', mimeType: 'video/quicktime', buffer: bytes });
  await witness.is('review');
  await witness.sends();
  expect((await vidence.download(created)).includes(bytes)).toBe(true);
});

test('a file of which the end is missing is refused as soon as the server has looked into it', async ({ page, vidence }) => {
  const created = await vidence.create();
  const witness = new Witness(page);
  await witness.open(created.submission_url);
  // Cameras write last what a player needs first.
  const buffer = film().subarray(0, -2000);
  await witness.file.setInputFiles({ name: 'IMG_0003.MOV', mimeType: 'video/quicktime', buffer });
  await witness.is('review');
  await witness.send.click();
  await witness.is('ended-unplayable');
  await expect(page.getByRole('heading', { name: 'This video can’t be played' })).toBeVisible();
  expect((await vidence.status(created)).status).toBe('awaiting_submission');
});

test.describe('where only small videos are taken', () => {
  test.use({ flags: ['--max-video-bytes', '100000'] });

  test('a file that is too large is refused before it is sent', async ({ page, vidence }) => {
    const sent: string[] = [];
    page.on('request', (request) => {
      if (['POST', 'PATCH'].includes(request.method())) sent.push(`${request.method()} ${request.url()}`);
    });
    const created = await vidence.create();
    const witness = new Witness(page);
    await witness.open(created.submission_url);
    const bytes = film();
    expect(bytes.length).toBeGreaterThan(100_000);
    await witness.file.setInputFiles({ name: 'long.mov', mimeType: 'video/quicktime', buffer: bytes });
    await witness.is('ended-too-large');
    expect(sent).toEqual([]);
    await expect(page.getByRole('heading', { name: 'This video is too large' })).toBeVisible();
    await fits(page, 'ended-too-large');
    expect(await vidence.committed(created)).toBe(0);
    await witness.does('discard').click();
    await witness.is('idle');
  });
});

test('a file whose upload a reload interrupts is not asked for again', async ({ page, vidence }) => {
  const created = await vidence.create();
  const witness = new Witness(page);
  await page.route('**/takes/*', (route) => route.abort());
  await witness.open(created.submission_url);
  const bytes = film();
  await witness.file.setInputFiles({ name: 'IMG_0002.MOV', mimeType: 'video/quicktime', buffer: bytes });
  await witness.is('review');
  await witness.isKept();
  page.on('dialog', (dialog) => dialog.accept());
  await page.unrouteAll();
  await page.reload();
  await witness.is('review');
  await witness.sends();
  expect((await vidence.download(created)).includes(bytes)).toBe(true);
});

test('a file that this browser can’t play says so, and is sent all the same', async ({ page, vidence }) => {
  const created = await vidence.create();
  const witness = new Witness(page);
  await witness.open(created.submission_url);
  const bytes = film(undefined, 'mpeg4');
  await witness.file.setInputFiles({ name: 'IMG_0001.MOV', mimeType: 'video/quicktime', buffer: bytes });
  await witness.is('review');
  await expect(witness.notice('not-playable').first()).toBeVisible();
  await fits(page, 'review-no-player');
  await witness.sends();
  expect((await vidence.download(created)).includes(bytes)).toBe(true);
});

test('a file that can’t be read any more says so, and can be chosen again', async ({ page, vidence }) => {
  await page.addInitScript(() => {
    const read = Blob.prototype.arrayBuffer;
    Blob.prototype.arrayBuffer = function () {
      const isChanged = !(window as any).isWhole;
      const error = new DOMException('The file was changed', 'NotReadableError');
      return isChanged ? Promise.reject(error) : read.call(this);
    };
  });
  const created = await vidence.create();
  const witness = new Witness(page);
  await witness.open(created.submission_url);
  const file = { name: 'IMG_0001.MOV', mimeType: 'video/quicktime', buffer: film() };
  await witness.file.setInputFiles(file);
  await witness.is('ended-unreadable');
  await expect(page.getByRole('heading', { name: 'This file can’t be read any more' })).toBeVisible();
  await fits(page, 'ended-unreadable');
  await witness.does('discard').click();
  await witness.is('idle');
  await page.evaluate(() => Object.assign(window, { isWhole: true }));
  await witness.file.setInputFiles(file);
  await witness.is('review');
  await witness.sends();
  expect((await vidence.download(created)).includes(file.buffer)).toBe(true);
});

test('a file that is all on the server outlives a reload, though the device had no room for it', async ({
  page,
  vidence,
}) => {
  await room(page, 0, false);
  const created = await vidence.create();
  const witness = new Witness(page);
  await witness.open(created.submission_url);
  const bytes = film();
  await witness.file.setInputFiles({ name: 'IMG_0001.MOV', mimeType: 'video/quicktime', buffer: bytes });
  await expect(witness.notice('complete').first()).toBeVisible();
  await page.reload();
  await witness.is('review');
  await witness.sends();
  expect((await vidence.download(created)).includes(bytes)).toBe(true);
});
