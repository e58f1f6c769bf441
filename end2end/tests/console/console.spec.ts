// The console: a requester creates a request, follows it and deletes it, and its token stays in the tab.
// More than 300 lines: one page.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { testWithHttpProxy as test } from '../../support/network/http_proxy.ts';
import { PROMPT, Requester, submitVideo } from '../../support/page/requester.ts';
import { expectFits } from '../../support/page/screens.ts';
import { expect } from '../../support/server/vidence.ts';

/** VP8 with sound: the built-in decoder makes its stills. */
const VIDEO = readFileSync('../crates/test-support/fixtures/chromium-vp8-opus.webm');

test('the requester gets a link, sees the video arrive, watches it and deletes it', async ({
  page,
  vidence,
  httpProxy,
}) => {
  const requester = new Requester(page);
  const created = await requester.createRequest(httpProxy.url('/'));
  expect(created.submission_url).toBe(vidence.url(`/r/${created.id}`));
  await expect(page.getByRole('img', { name: 'The link as a QR code' })).toBeVisible();
  await expect(page.getByText(PROMPT)).toBeVisible();
  expect((await vidence.fetchStatus(created)).status).toBe('awaiting_submission');

  await requester.recordAsWitness(created, 8);
  const duration = await requester.waitForDuration();
  expect(duration).toBeGreaterThan(3);
  const [start, middle] = [await requester.seek(0), await requester.seek(duration / 2)];
  expect(middle.at).toBeCloseTo(duration / 2, 1);
  // The fake camera shows the time. A busy browser paints the frame a moment after it has sought.
  await expect.poll(async () => (await requester.seek(duration / 2)).picture).not.toBe(start.picture);

  const pictures = page.getByRole('button', { name: /^Go to .* in the video$/ });
  // Decoding a few seconds of large frames takes a busy machine a while.
  await expect(pictures.first()).toBeVisible({ timeout: 40_000 });
  const loaded = (image: HTMLImageElement) => image.naturalWidth;
  await expect.poll(() => pictures.last().locator('img').evaluate(loaded)).toBeGreaterThan(0);
  await pictures.first().click();
  await expect.poll(() => requester.video.evaluate((video: HTMLVideoElement) => video.currentTime)).toBeLessThan(1);

  const bytes = await vidence.download(created);
  const facts = page.getByRole('region', { name: 'Facts' });
  await expect(facts.getByText(`(${bytes.length.toLocaleString('en')} bytes)`)).toBeVisible();
  await expect(facts.getByText(createHash('sha256').update(bytes).digest('hex'))).toBeVisible();
  await expect(facts.getByText('video/webm')).toBeVisible();
  await expect(facts.getByText(/ UTC, while it was recorded, as its sender says$/)).toBeVisible();

  expect(httpProxy.videoRequests().length).toBeGreaterThan(0);
  for (const asked of httpProxy.videoRequests()) {
    expect(asked.authorization).toBe(`Bearer ${created.access_token}`);
    expect(asked.range).toMatch(/^bytes=\d+-/);
  }
  const { video } = await vidence.fetchStatus(created);
  await requester.deleteRequest();
  expect((await vidence.fetchAsCreator(created, video.url)).status).toBe(404);
  await expect(page.locator('iframe')).toHaveCount(0);

  // The token was sent in headers only, and none of it is stored.
  expect(httpProxy.requests.filter((it) => it.url.includes(created.access_token))).toEqual([]);
  const kept = await page.evaluate(async () => ({
    tab: sessionStorage.length,
    browser: localStorage.length,
    caches: await caches.keys(),
    databases: await indexedDB.databases(),
    cookies: document.cookie,
  }));
  expect(kept).toEqual({ tab: 0, browser: 0, caches: [], databases: [], cookies: '' });
});

test('a refused request shows the server’s reason', async ({ page, vidence }) => {
  const requester = new Requester(page);
  await page.goto(vidence.url('/'));
  await expect(requester.createButton).toBeEnabled();
  // Characters are counted as the API counts them.
  await requester.prompt.fill('🎥'.repeat(2000));
  await expect(page.getByText('2000 of 2000 characters')).toBeVisible();
  await requester.prompt.fill('🎥'.repeat(2001));
  await expect(page.getByText('2001 of 2000 characters: 1 too many')).toBeVisible();
  await requester.createButton.click();
  const refusal = 'The server says: prompt must have 1 to 2000 characters, not 2001.';
  await expect(page.getByRole('alert')).toHaveText(refusal);
  await expectFits(page, 'console-refused');
  await requester.prompt.fill('🎥'.repeat(2000));
  await requester.createButton.click();
  await expect(requester.heading).toHaveText('Waiting for the video');
});

test('a request survives a reload in its own tab, and shows in no other tab', async ({ page, context, vidence }) => {
  const requester = new Requester(page);
  const created = await requester.createRequest(vidence.url('/'));
  await page.reload();
  await expect(requester.heading).toHaveText('Waiting for the video');
  expect(await requester.readToken()).toBe(created.access_token);

  const [other] = await Promise.all([
    context.waitForEvent('page'),
    page.getByRole('link', { name: 'Ask for another, in a new tab' }).click(),
  ]);
  await expect(new Requester(other).createButton).toBeEnabled();
  await expect(new Requester(other).heading).toHaveCount(0);

  await requester.deleteRequest();
  await page.reload();
  await expect(requester.createButton).toBeEnabled();
  await expect(requester.heading).toHaveCount(0);
});

test('a request is opened again by its link and its token, and the title of the tab says how far it is', async ({
  page,
  context,
  vidence,
}) => {
  const requester = new Requester(page);
  const created = await requester.createRequest(vidence.url('/'));
  await expect(page).toHaveTitle('Waiting for the video · Vidence');
  const other = new Requester(await context.newPage());
  await other.page.goto(vidence.url('/'));
  const summary = other.page.getByText('Open a request that you have made before');
  await summary.click();
  await expectFits(other.page, 'console-reopen');
  const reopen = async (token: string) => {
    await other.page.getByLabel('Its link').fill(created.submission_url);
    await other.page.getByLabel('Its token').fill(token);
    await other.page.getByRole('button', { name: 'Open it' }).click();
  };
  await reopen('x'.repeat(43));
  await expect(other.page.locator('#reopen [role=alert]')).toContainText('The server says: this token belongs to no request');
  await reopen(created.access_token);
  await expect(other.heading).toHaveText('Waiting for the video');
  await expect(summary).toBeHidden();
  await expect(other.page.getByRole('heading', { name: 'You asked' })).toBeHidden();

  await submitVideo(vidence, created, VIDEO);
  await other.waitForDuration();
  await expect(other.page).toHaveTitle('The video is here · Vidence');
  await other.deleteRequest();
  await other.page.getByRole('button', { name: 'Ask for another' }).click();
  await expect(other.prompt).toBeFocused();
});

test('what is chosen before the console has started holds', async ({ page, vidence }) => {
  let start = () => {};
  const started = new Promise<void>((done) => (start = done));
  await page.route('**/*.wasm', async (route) => {
    await started;
    await route.continue();
  });
  await page.goto(vidence.url('/'));
  await page.getByLabel('Keep it for').selectOption('1 hour');
  await page.getByLabel('What should the video show?').fill(PROMPT);
  start();
  await page.getByRole('button', { name: 'Create the link' }).click();
  const expiry = page.locator('.asked time');
  const hours = (Date.parse((await expiry.getAttribute('datetime'))!) - Date.now()) / 3_600_000;
  expect(hours).toBeCloseTo(1, 1);
});

test('a deletion that has begun can’t be taken back, and doesn’t offer it', async ({ page, vidence }) => {
  const requester = new Requester(page);
  await requester.createRequest(vidence.url('/'));
  let go = () => {};
  const goes = new Promise<void>((done) => (go = done));
  await page.route('**/v1/requests/*', async (route) => {
    if (route.request().method() === 'DELETE') await goes;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Delete…' }).click();
  const keep = page.getByRole('button', { name: 'Keep it' });
  await expect(keep).toBeVisible();
  await page.getByRole('button', { name: 'Delete for good' }).click();
  await expect(keep).toBeHidden();
  go();
  await expect(requester.heading).toHaveText('Deleted');
});

test('the token is folded, and flagged until it is copied', async ({ page, context, vidence }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const requester = new Requester(page);
  const created = await requester.createRequest(vidence.url('/'));
  const card = page.getByRole('region', { name: 'Keep this token' });
  await expect(card.getByText(created.access_token)).toBeHidden();
  await expect(card.getByText('Not copied yet')).toBeVisible();
  await card.getByText('Show it').click();
  await expect(card.getByText(created.access_token)).toBeVisible();
  await card.getByRole('button', { name: 'Copy the token' }).click();
  await expect(card.getByText('Not copied yet')).toBeHidden();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(created.access_token);
  await page.reload();
  await expect(requester.heading).toHaveText('Waiting for the video');
  await expect(card.getByText('Copied')).toBeVisible();
  await requester.deleteRequest();
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
});

test('where the clipboard is blocked, the token is shown to be selected', async ({ page, vidence }) => {
  await page.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, 'clipboard', { value: undefined });
    document.execCommand = () => false;
  });
  const created = await new Requester(page).createRequest(vidence.url('/'));
  const card = page.getByRole('region', { name: 'Keep this token' });
  await expect(card.getByText(created.access_token)).toBeHidden();
  const copy = card.getByRole('button', { name: 'Copy the token' });
  await copy.click();
  await expect(card.getByText(created.access_token)).toBeVisible();
  await card.getByText('Show it').click();
  await expect(card.getByText(created.access_token)).toBeHidden();
  await copy.click();
  await expect(card.getByText(created.access_token)).toBeVisible();
  await expect(card.getByText('Not copied yet')).toBeVisible();
});

test('the console shows how far the person with the link has come', async ({ page, vidence }) => {
  const requester = new Requester(page);
  const created = await requester.createRequest(vidence.url('/'));
  const current = page.getByRole('list', { name: 'Progress' }).locator('[aria-current=step]');
  await expect(current).toHaveText('Link');
  // Only what a request needs is there: neither the introduction, nor the same code twice.
  await expect(page.getByText('curl', { exact: true }).filter({ visible: true })).toHaveCount(1);
  await expect(page.getByRole('img', { name: /^An agent asks/ })).toBeHidden();

  const take = await fetch(vidence.url(`/r/${created.id}/takes`), {
    method: 'POST',
    headers: { 'Content-Type': 'video/webm', 'Upload-Complete': '?0' },
    body: VIDEO.subarray(0, 6000),
  });
  await expect(requester.heading).toHaveText('Someone is recording');
  await expect(current).toHaveText('Recording');
  await expectFits(page, 'console-recording');
  const location = take.headers.get('location')!;
  const rest = await fetch(new URL(location, vidence.url('/')), {
    method: 'PATCH',
    headers: { 'Content-Type': 'application/partial-upload', 'Upload-Complete': '?1', 'Upload-Offset': '6000' },
    body: VIDEO.subarray(6000),
  });
  expect(rest.ok).toBe(true);
  await expect(requester.heading).toHaveText('Recorded, not sent yet');
  await expect(current).toHaveText('Recording');
  const submitted = await fetch(vidence.url(`/r/${created.id}/submission`), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ take: location.split('/').pop() }),
  });
  expect(submitted.status).toBe(200);
  await expect(requester.heading).toHaveText('The video is here');
  await expect(current).toHaveCount(0);
  await expect(page.getByRole('listitem').filter({ hasText: ': done' })).toHaveCount(3);
});

test('the console says that a request has expired', async ({ page, database, videnceOnPostgres: vidence }) => {
  const requester = new Requester(page);
  const created = await requester.createRequest(vidence.url('/'));
  database.expire(created);
  await expect(requester.heading).toHaveText('This request has expired');
  await expectFits(page, 'console-expired');
  await page.getByRole('button', { name: 'Ask for another' }).click();
  await expect(requester.createButton).toBeEnabled();
});

test('the console polls no earlier than Retry-After allows', async ({ page, vidence }) => {
  const requester = new Requester(page);
  const asked: number[] = [];
  await page.route('**/v1/requests/*', (route) => {
    asked.push(Date.now());
    if (asked.length > 1) return route.continue();
    const error = { code: 'rate_limited', message: 'too many requests' };
    return route.fulfill({ status: 429, headers: { 'Retry-After': '10' }, json: { error } });
  });
  await requester.createRequest(vidence.url('/'));
  await expect(page.getByText('The server asks for patience.')).toBeVisible();
  await expect(page.getByText('The server asks for patience.')).toBeHidden();
  expect(asked[1] - asked[0]).toBeGreaterThanOrEqual(10_000);
});

test('the console says that it is offline, and continues once it is online', async ({ page, context, vidence }) => {
  const requester = new Requester(page);
  const created = await requester.createRequest(vidence.url('/'));
  await context.setOffline(true);
  await expect(page.getByText('You are offline.')).toBeVisible();
  await expectFits(page, 'console-offline');
  await submitVideo(vidence, created, VIDEO);
  await context.setOffline(false);
  await requester.waitForDuration();
  await expect(page.getByText('You are offline.')).toBeHidden();
});

test('the snippets for curl, Python and JavaScript do what they say', async ({ page, context, vidence }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const run = promisify(execFile);
  for (const [language, ...command] of [
    ['curl', 'bash', '-c'],
    ['Python', 'python3', '-c'],
    ['JavaScript', 'node', '--input-type=module', '-e'],
  ]) {
    const requester = new Requester(page);
    const created = await requester.createRequest(vidence.url('/'));
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

    await submitVideo(vidence, created, VIDEO);
    await requester.waitForDuration();
    await expect(watch).toContainText(`/v1/videos/${(await vidence.fetchStatus(created)).video.id}`);
    expect(await watch.textContent()).not.toContain(created.access_token);
    await programs.getByRole('button', { name: 'Copy with token Download the video' }).click();
    await expect(programs.getByText('Copied')).toBeVisible();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toContain(created.access_token);
    await runs(copied);
    const [file] = readdirSync(folder);
    expect(readFileSync(join(folder, file)).equals(await vidence.download(created))).toBe(true);

    await runs((await remove.textContent())!);
    expect((await vidence.fetchAsCreator(created, `/v1/requests/${created.id}`)).status).toBe(404);
    await page.evaluate(() => sessionStorage.clear());
    rmSync(folder, { recursive: true });
  }
});

test('the arrow keys move through the tabs of the snippets', async ({ page, vidence }) => {
  await new Requester(page).createRequest(vidence.url('/'));
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
  test.setTimeout(180_000);
  const requester = new Requester(page);
  await page.goto(vidence.url('/'));
  await expect(requester.createButton).toBeEnabled();
  await expectFits(page, 'console-empty');
  const created = await requester.createRequest(vidence.url('/'));
  await expectFits(page, 'console-waiting');
  await submitVideo(vidence, created, VIDEO);
  await requester.waitForDuration();
  const pictures = page.getByRole('button', { name: /^Go to .* in the video$/ });
  await expect(pictures.first()).toBeVisible({ timeout: 40_000 });
  await expectFits(page, 'console-submitted');
  await page.getByRole('button', { name: 'Delete…' }).click();
  await expectFits(page, 'console-question');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await requester.deleteRequest();
  await expectFits(page, 'console-deleted');
});

test('a browser that can’t start the console shows the steps for curl', async ({ page, vidence, consoleErrors }) => {
  await page.route('**/*.wasm', (route) => route.abort());
  await page.goto(vidence.url('/'));
  await expect(page.getByText('The console could not start in this browser.')).toBeVisible();
  await expect(new Requester(page).createButton).toBeHidden();
  await page.getByText('curl', { exact: true }).click();
  await expect(page.getByText(`curl -s ${vidence.url('/v1/requests')} \\`)).toBeVisible();
  expect(consoleErrors.splice(0)).toEqual([expect.stringContaining('Failed to fetch')]);
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('the home page shows the steps for curl', async ({ page, vidence }) => {
    await page.goto(vidence.url('/'));
    await expect(page.getByRole('heading', { name: 'Ask a human for video evidence' })).toBeVisible();
    await expect(page.getByRole('button')).toHaveCount(0);
    await page.getByText('curl', { exact: true }).click();
    await expect(page.getByText(`curl -s ${vidence.url('/v1/requests')} \\`)).toBeVisible();
  });
});
