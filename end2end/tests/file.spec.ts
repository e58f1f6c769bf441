import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fits } from './screens.ts';
import { expect, test } from './vidence.ts';
import { Witness } from './witness.ts';

/** A phone's film, which may say where it was made. */
function film(place?: string): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'film-'));
  const file = join(folder, 'film.mov');
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=640x360:rate=15:duration=3'];
  const coded = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', ...(place ? ['-metadata', `location=${place}`] : [])];
  execFileSync('ffmpeg', ['-v', 'error', ...picture, ...coded, file]);
  const bytes = readFileSync(file);
  rmSync(folder, { recursive: true });
  return bytes;
}

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
      await expect(witness.notice('located').first()).toBeVisible();
      await fits(page, 'review-located');
    } else {
      expect((await vidence.state(created)).takes).toMatchObject([{ located: false }]);
      await expect(witness.notice('located')).toHaveCount(0);
    }
    expect((await vidence.status(created)).status).toBe('awaiting_submission');
    expect(await witness.plays(2)).toBeCloseTo(3, 0);
    await witness.sends();
    const sent = await vidence.download(created);
    expect(sent.includes(bytes)).toBe(true);
  });
}

test('a file that is no video is refused in plain words, and another can be chosen', async ({ page, vidence }) => {
  const created = await vidence.create();
  const witness = new Witness(page);
  await witness.open(created.submission_url);
  const buffer = Buffer.from('Dear diary, '.repeat(1000));
  await witness.file.setInputFiles({ name: 'diary.mp4', mimeType: 'video/mp4', buffer });
  await witness.is(/^over-(refused|unplayable)$/);
  await fits(page, 'over-refused');
  await witness.does('discard').click();
  await witness.is('idle');
  expect((await vidence.status(created)).status).toBe('awaiting_submission');
});

test.describe('where only small videos are taken', () => {
  test.use({ flags: ['--max-video-bytes', '100000'] });

  test('a file that is too large is refused before it is sent', async ({ page, vidence }) => {
    const created = await vidence.create();
    const witness = new Witness(page);
    await witness.open(created.submission_url);
    const bytes = film();
    expect(bytes.length).toBeGreaterThan(100_000);
    await witness.file.setInputFiles({ name: 'long.mov', mimeType: 'video/quicktime', buffer: bytes });
    await witness.is('over-too-large');
    await fits(page, 'over-too-large');
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
  page.on('dialog', (dialog) => dialog.accept());
  await page.unrouteAll();
  await page.reload();
  await witness.is('review');
  await witness.sends();
  expect((await vidence.download(created)).includes(bytes)).toBe(true);
});
