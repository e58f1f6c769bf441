import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Asker, PROMPT, submit } from './asker.ts';
import { fits } from './screens.ts';
import { expect, test as base } from './vidence.ts';
import { Wire } from './wire.ts';

/** With pictures and sound, VP8: stills are made of it by what is built in. */
const FILM = readFileSync('../crates/test-support/fixtures/chromium-vp8-opus.webm');

const test = base.extend<{ wire: Wire }>({
  wire: async ({ vidence }, use) => {
    const wire = new Wire(vidence);
    await wire.open();
    await use(wire);
    wire.close();
  },
});

test('who asks gets a link, sees the video come, watches and deletes it', async ({ page, vidence, wire }) => {
  const asker = new Asker(page);
  const created = await asker.creates(wire.url('/'));
  expect(created.submission_url).toBe(vidence.url(`/r/${created.id}`));
  await expect(page.getByRole('img', { name: 'The link as a QR code' })).toBeVisible();
  await expect(page.getByText(PROMPT)).toBeVisible();
  expect((await vidence.status(created)).status).toBe('awaiting_submission');

  await asker.isAnswered(created, 4);
  // By itself.
  const duration = await asker.plays();
  expect(duration).toBeGreaterThan(3);
  const [start, middle] = [await asker.seeks(0), await asker.seeks(duration / 2)];
  expect(middle.at).toBeCloseTo(duration / 2, 1);
  // The fake camera shows the time.
  expect(middle.picture).not.toBe(start.picture);

  const pictures = page.getByRole('button', { name: /^Go to .* in the video$/ });
  // Decoding a few seconds of large pictures takes a busy machine a while.
  await expect(pictures.first()).toBeVisible({ timeout: 40_000 });
  const loaded = (image: HTMLImageElement) => image.naturalWidth;
  await expect.poll(() => pictures.last().locator('img').evaluate(loaded)).toBeGreaterThan(0);
  await pictures.first().click();
  await expect.poll(() => asker.video.evaluate((video: HTMLVideoElement) => video.currentTime)).toBeLessThan(1);

  const bytes = await vidence.download(created);
  const facts = page.getByRole('region', { name: 'Facts' });
  await expect(facts.getByText(`(${bytes.length.toLocaleString('en')} bytes)`)).toBeVisible();
  await expect(facts.getByText(createHash('sha256').update(bytes).digest('hex'))).toBeVisible();
  await expect(facts.getByText('video/webm')).toBeVisible();

  expect(wire.videos().length).toBeGreaterThan(0);
  for (const asked of wire.videos()) {
    expect(asked.authorization).toBe(`Bearer ${created.access_token}`);
    expect(asked.range).toMatch(/^bytes=\d+-/);
  }
  const { video } = await vidence.status(created);
  await asker.deletes();
  expect((await vidence.as(created, video.url)).status).toBe(404);
  await expect(page.locator('iframe')).toHaveCount(0);

  // The token went in headers alone, and nothing of it stays behind.
  expect(wire.heard.filter((it) => it.url.includes(created.access_token))).toEqual([]);
  const kept = await page.evaluate(async () => ({
    tab: sessionStorage.length,
    browser: localStorage.length,
    caches: await caches.keys(),
    databases: await indexedDB.databases(),
    cookies: document.cookie,
  }));
  expect(kept).toEqual({ tab: 0, browser: 0, caches: [], databases: [], cookies: '' });
});

test('seeking asks for the part that is wanted, and the worker may be stopped in between', async ({
  page,
  context,
  vidence,
  wire,
}) => {
  const asker = new Asker(page);
  wire.holdsBackAfter = 200_000;
  const created = await asker.creates(wire.url('/'));
  const film = await longFilm();
  await submit(vidence, created, film);
  const duration = await asker.plays();
  const middle = await asker.seeks(duration / 2);
  expect(middle.at).toBeCloseTo(duration / 2, 1);
  const later = () => wire.videos().filter((it) => Number(/\d+/.exec(it.range!)) > 200_000);
  expect(later().length).toBeGreaterThan(0);

  const workers = await context.newCDPSession(page);
  await workers.send('ServiceWorker.enable');
  await workers.send('ServiceWorker.stopAllWorkers');
  const before = wire.videos().length;
  await asker.video.evaluate((video: HTMLVideoElement) => video.load());
  await asker.plays();
  expect((await asker.seeks(duration - 1)).at).toBeCloseTo(duration - 1, 1);
  expect(wire.videos().length).toBeGreaterThan(before);
  for (const asked of wire.videos()) {
    expect(asked.authorization).toBe(`Bearer ${created.access_token}`);
  }
});

test('a browser without workers fetches all of it first, and says so', async ({ page, vidence, wire }) => {
  await page.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, 'serviceWorker', { value: undefined });
  });
  const asker = new Asker(page);
  const created = await asker.creates(wire.url('/'));
  await submit(vidence, created, FILM);
  const duration = await asker.plays();
  await expect(page.getByText('so all of the video was fetched first')).toBeVisible();
  expect((await asker.seeks(duration / 2)).at).toBeCloseTo(duration / 2, 1);
  expect(wire.videos()).toMatchObject([{ range: undefined, authorization: `Bearer ${created.access_token}` }]);
});

test('a video that is deleted elsewhere while it plays is said to be', async ({ page, vidence, wire }) => {
  const asker = new Asker(page);
  wire.holdsBackAfter = 200_000;
  const created = await asker.creates(wire.url('/'));
  await submit(vidence, created, await longFilm());
  const duration = await asker.plays();
  expect((await vidence.as(created, `/v1/requests/${created.id}`, { method: 'DELETE' })).status).toBe(204);
  // What the browser has is its own; the player has to ask for the rest.
  // Unless the player has noticed by itself, and is gone with its video.
  const seek = (video: HTMLVideoElement, to: number) => void (video.currentTime = to);
  const sought = asker.video.evaluate(seek, duration / 2, { timeout: 5000 }).catch(() => {});
  await Promise.all([sought, expect(asker.heading).toHaveText('Deleted')]);
  await expect(page.locator('iframe')).toHaveCount(0);
});

test('a refused creation says why, in the server’s words', async ({ page, vidence }) => {
  const asker = new Asker(page);
  await page.goto(vidence.url('/'));
  await expect(asker.ask).toBeEnabled();
  // Characters are counted as the interface counts them.
  await asker.prompt.fill('🎥'.repeat(2000));
  await expect(page.getByText('2000 of 2000 characters')).toBeVisible();
  await asker.prompt.fill('🎥'.repeat(2001));
  await expect(page.getByText('2001 of 2000 characters: 1 too many')).toBeVisible();
  await asker.ask.click();
  const refusal = 'The server says: prompt must have 1 to 2000 characters, not 2001.';
  await expect(page.getByRole('alert')).toHaveText(refusal);
  await fits(page, 'console-refused');
  await asker.prompt.fill('🎥'.repeat(2000));
  await asker.ask.click();
  await expect(asker.heading).toHaveText('Waiting for the video');
});

test('a reload keeps the request in its own tab, and nowhere else', async ({ page, context, vidence }) => {
  const asker = new Asker(page);
  const created = await asker.creates(vidence.url('/'));
  await page.reload();
  await expect(asker.heading).toHaveText('Waiting for the video');
  expect(await asker.token()).toBe(created.access_token);

  const [other] = await Promise.all([
    context.waitForEvent('page'),
    page.getByRole('link', { name: 'Ask for another, in a new tab' }).click(),
  ]);
  await expect(new Asker(other).ask).toBeEnabled();
  await expect(new Asker(other).heading).toHaveCount(0);

  await asker.deletes();
  await page.reload();
  await expect(asker.ask).toBeEnabled();
  await expect(asker.heading).toHaveCount(0);
});

test('a request whose time is over says so', async ({ page, database, videnceOnPostgres: vidence }) => {
  const asker = new Asker(page);
  const created = await asker.creates(vidence.url('/'));
  database.expire(created);
  await expect(asker.heading).toHaveText('This request has expired');
  await fits(page, 'console-expired');
  await page.getByRole('button', { name: 'Ask for another' }).click();
  await expect(asker.ask).toBeEnabled();
});

test('the status is not asked for earlier than the server wants', async ({ page, vidence }) => {
  const asker = new Asker(page);
  const asked: number[] = [];
  await page.route('**/v1/requests/*', (route) => {
    asked.push(Date.now());
    if (asked.length > 1) return route.continue();
    const error = { code: 'rate_limited', message: 'too many requests' };
    return route.fulfill({ status: 429, headers: { 'Retry-After': '4' }, json: { error } });
  });
  await asker.creates(vidence.url('/'));
  await expect(page.getByText('The server asks for patience.')).toBeVisible();
  await expect(page.getByText('The server asks for patience.')).toBeHidden();
  expect(asked[1] - asked[0]).toBeGreaterThanOrEqual(4000);
});

test('it says that there is no network, and goes on when there is', async ({ page, context, vidence }) => {
  const asker = new Asker(page);
  const created = await asker.creates(vidence.url('/'));
  await context.setOffline(true);
  await expect(page.getByText('You are offline.')).toBeVisible();
  await fits(page, 'console-offline');
  await submit(vidence, created, FILM);
  await context.setOffline(false);
  await asker.plays();
  await expect(page.getByText('You are offline.')).toBeHidden();
});

test('the snippets do what they say', async ({ page, context, vidence }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const run = promisify(execFile);
  for (const [language, ...command] of [
    ['curl', 'bash', '-c'],
    ['Python', 'python3', '-c'],
    ['JavaScript', 'node', '--input-type=module', '-e'],
  ]) {
    const asker = new Asker(page);
    const created = await asker.creates(vidence.url('/'));
    await page.getByRole('tab', { name: language }).click();
    const programs = page.getByRole('tabpanel', { name: language });
    const folder = mkdtempSync(join(tmpdir(), 'snippet-'));
    const runs = async (code: string) => {
      const [program, ...flags] = [...command, code];
      const env = { PATH: process.env.PATH, TOKEN: created.access_token };
      return (await run(program, flags, { cwd: folder, env })).stdout;
    };
    const [status, watch, remove] = await programs.locator('code').all();
    expect(await runs((await status.textContent())!)).toContain('awaiting_submission');

    await submit(vidence, created, FILM);
    await asker.plays();
    await expect(watch).toContainText(`/v1/videos/${(await vidence.status(created)).video.id}`);
    expect(await watch.textContent()).not.toContain(created.access_token);
    await programs.getByRole('button', { name: 'Copy with token Download the video' }).click();
    await expect(programs.getByText('Copied')).toBeVisible();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toContain(created.access_token);
    await runs(copied);
    const [file] = readdirSync(folder);
    expect(readFileSync(join(folder, file)).equals(await vidence.download(created))).toBe(true);

    await runs((await remove.textContent())!);
    expect((await vidence.as(created, `/v1/requests/${created.id}`)).status).toBe(404);
    await page.evaluate(() => sessionStorage.clear());
    rmSync(folder, { recursive: true });
  }
});

test('tabs are gone through with the arrow keys', async ({ page, vidence }) => {
  await new Asker(page).creates(vidence.url('/'));
  await page.getByRole('tab', { name: 'curl' }).focus();
  await page.keyboard.press('ArrowLeft');
  await expect(page.getByRole('tab', { name: 'JavaScript' })).toBeFocused();
  await expect(page.getByRole('tab', { name: 'JavaScript' })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('tab', { name: 'curl' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Copy Where does it stand?' })).toBeFocused();
});

test('every state of the console fits every screen', async ({ page, vidence }) => {
  const asker = new Asker(page);
  await page.goto(vidence.url('/'));
  await expect(asker.ask).toBeEnabled();
  await fits(page, 'console-empty');
  const created = await asker.creates(vidence.url('/'));
  await fits(page, 'console-waiting');
  await submit(vidence, created, FILM);
  await asker.plays();
  const pictures = page.getByRole('button', { name: /^Go to .* in the video$/ });
  await expect(pictures.first()).toBeVisible();
  await fits(page, 'console-submitted');
  await page.getByRole('button', { name: 'Delete…' }).click();
  await fits(page, 'console-question');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await asker.deletes();
  await fits(page, 'console-deleted');
});

test('a browser that can’t start the console is sent to curl', async ({ page, vidence, complaints }) => {
  await page.route('**/*.wasm', (route) => route.abort());
  await page.goto(vidence.url('/'));
  await expect(page.getByText('The console could not start in this browser.')).toBeVisible();
  await expect(new Asker(page).ask).toBeHidden();
  await expect(page.getByRole('heading', { name: 'The same with curl' })).toBeVisible();
  expect(complaints.splice(0)).toEqual([expect.stringContaining('Failed to fetch')]);
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('the home page is the walk with curl', async ({ page, vidence }) => {
    await page.goto(vidence.url('/'));
    await expect(page.getByRole('heading', { name: 'Ask a human for video evidence' })).toBeVisible();
    await expect(page.getByRole('button')).toHaveCount(0);
    await expect(page.getByText(`curl -s ${vidence.url('/v1/requests')} \\`)).toBeVisible();
  });
});

/** Some megabytes of noise to look at, so that its middle isn't here yet when its beginning plays. */
async function longFilm(): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'film-'));
  const file = join(folder, 'noise.webm');
  const picture = 'testsrc2=size=320x240:rate=15:duration=20,noise=alls=60:allf=t';
  const made = ['-f', 'lavfi', '-i', picture, '-c:v', 'libvpx', '-b:v', '3M', '-deadline', 'realtime', '-g', '15'];
  await promisify(execFile)('ffmpeg', ['-v', 'error', ...made, file]);
  const film = readFileSync(file);
  rmSync(folder, { recursive: true });
  return film;
}
