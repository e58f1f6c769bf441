// Uploads survive slow, broken and missing networks, full servers and lost takes, and lose or duplicate nothing.
// A little more than 300 lines: each test is a fault of the way to the server.
import type { Page } from '@playwright/test';
import { MEGABIT } from '../../support/network/network_proxy.ts';
import { RecorderSpy } from '../../support/page/recorder_spy.ts';
import { type Created, type Vidence, expect, test } from '../../support/server/vidence.ts';
import { expectFits } from '../../support/page/screens.ts';
import { Witness } from '../../support/page/witness.ts';

test('on a slow network only committed seconds are shown as sent, and never more than recorded', async ({
  page,
  vidence,
  network,
}) => {
  const created = await vidence.createRequest();
  const witness = new Witness(page);
  await witness.open(network.url(`/r/${created.id}`));
  await witness.turnOnCamera();
  network.limitRate(MEGABIT / 2);
  await witness.startRecording();
  let backlog = 0;
  while ((await witness.seconds('recorded')) < 8) {
    const shown = await witness.main.evaluate((main) =>
      ['recorded', 'sent'].map((name) => {
        const figures = [...main.querySelectorAll<HTMLElement>(`[data-slot=${name}]`)];
        const text = figures.find((it) => it.checkVisibility())?.textContent ?? '0:00';
        return text.split(':').reduce((sum, part) => 60 * sum + Number(part), 0);
      }),
    );
    const [recorded, sent] = shown;
    // Read after the figures: it can only have grown.
    const safe = witness.spy.secondsWithin(await vidence.committedBytes(created));
    expect(sent).toBeLessThanOrEqual(recorded);
    expect(sent).toBeLessThanOrEqual(Math.ceil(safe));
    backlog = Math.max(backlog, recorded - sent);
  }
  // Without a backlog the comparison above shows nothing.
  expect(backlog).toBeGreaterThan(1);

  network.limitRate(Infinity);
  await witness.stopRecording();
  await expect(witness.notice('complete').first()).toBeVisible();
  const recorded = witness.spy.bytes();
  expect(await vidence.committedBytes(created)).toBe(recorded.length);
  await witness.submit();
  RecorderSpy.expectSealed(await vidence.download(created), recorded);
});

test('without a network the page says so, keeps recording, and resumes the upload by itself', { tag: '@tls' }, async ({ page, vidence, network }) => {
  const created = await vidence.createRequest();
  const witness = new Witness(page);
  await witness.open(network.url(`/r/${created.id}`));
  await witness.turnOnCamera();
  await witness.recordFor(2);
  await expect.poll(() => vidence.committedBytes(created)).toBeGreaterThan(0);

  await network.cut();
  await expect(witness.notice('retrying').first()).toContainText('The upload isn’t getting through');
  const promised = await vidence.committedBytes(created);
  await witness.waitForSeconds((await witness.seconds('recorded')) + 2);
  await expectFits(page, 'recording-cut-off');
  expect(await vidence.committedBytes(created)).toBe(promised);

  await network.restore();
  // After a long time without a network the page retries every half minute.
  const goesOn = expect.poll(() => vidence.committedBytes(created), { timeout: 45_000 });
  await goesOn.toBeGreaterThan(promised);
  await expect(witness.notice('retrying')).toHaveCount(0);
  await witness.stopRecording();
  await witness.submit();
  const recorded = witness.spy.bytes();
  RecorderSpy.expectSealed(await vidence.download(created), recorded);
});

test('an offline page says that the upload continues later', async ({ page, context, vidence }) => {
  const [created, witness] = await Witness.openAtCamera(page, vidence);
  await witness.recordFor(1);
  await context.setOffline(true);
  await expect(witness.notice('offline')).toContainText('when you’re back');
  await witness.stopRecording();
  await expect(witness.reviewVideo).toBeVisible();
  await expectFits(page, 'review-offline');
  await witness.submitButton.click();
  await witness.waitForState('submitting');
  await expectFits(page, 'submitting-offline');
  expect((await vidence.fetchStatus(created)).status).toBe('awaiting_submission');

  await context.setOffline(false);
  await witness.waitForState('submitted');
  const recorded = witness.spy.bytes();
  RecorderSpy.expectSealed(await vidence.download(created), recorded);
});

test('a connection that keeps breaking loses and duplicates nothing', { tag: '@tls' }, async ({ page, vidence, network }) => {
  const created = await vidence.createRequest();
  const witness = new Witness(page);
  await witness.open(network.url(`/r/${created.id}`));
  await witness.turnOnCamera();
  await witness.startRecording();
  network.limitRate(2 * MEGABIT);
  for (let second = 1; second <= 5; second++) {
    await witness.waitForSeconds(second);
    await network.cut();
    await network.restore();
  }
  await witness.stopRecording();
  await witness.submit();
  const recorded = witness.spy.bytes();
  RecorderSpy.expectSealed(await vidence.download(created), recorded);
});

test('a failed submission is retried, and the take is kept', { tag: '@tls' }, async ({ page, vidence, network }) => {
  const created = await vidence.createRequest();
  const witness = new Witness(page);
  await witness.open(network.url(`/r/${created.id}`));
  await witness.turnOnCamera();
  await witness.recordFor(2);
  await witness.stopRecording();
  await expect(witness.notice('complete').first()).toBeVisible();
  let [asked, isRefused] = [0, true];
  await page.route('**/submission', (route) => {
    asked += 1;
    if (!isRefused) return route.continue();
    const error = { code: 'unavailable', message: 'not now' };
    return route.fulfill({ status: 503, headers: { 'Retry-After': '1' }, json: { error } });
  });
  await witness.submitButton.click();
  await expect(witness.notice('retrying').first()).toBeVisible();
  const refused = asked;
  isRefused = false;
  await witness.waitForState('submitted');
  expect(asked).toBeGreaterThan(refused);
  const recorded = witness.spy.bytes();
  RecorderSpy.expectSealed(await vidence.download(created), recorded);
});

test('a page of a proxy in answer to Send is no success', async ({ page, vidence }) => {
  const [created, witness] = await Witness.openAtCamera(page, vidence);
  await witness.recordFor(1);
  await witness.stopRecording();
  await expect(witness.notice('complete').first()).toBeVisible();
  let asked = 0;
  await page.route('**/submission', (route) => {
    asked += 1;
    return asked === 1 ? route.fulfill({ contentType: 'text/html', body: '<h1>Sign in</h1>' }) : route.continue();
  });
  await witness.submit();
  expect(asked).toBeGreaterThan(1);
  expect((await vidence.fetchStatus(created)).status).toBe('submitted');
});

test('an error of a gateway ends no recording, even as JSON', async ({ page, vidence }) => {
  const [created, witness] = await Witness.openAtCamera(page, vidence);
  await page.route('**/state?*', (route) => route.fulfill({ status: 404, json: { message: 'no route' } }));
  const answered = page.waitForResponse('**/state?*');
  await witness.recordFor(1);
  await answered;
  await witness.waitForSeconds((await witness.seconds('recorded')) + 2);
  await page.unrouteAll();
  await witness.stopRecording();
  await witness.submit();
  const recorded = witness.spy.bytes();
  RecorderSpy.expectSealed(await vidence.download(created), recorded);
});

test('Send doesn’t wait for the next attempt of an upload', async ({ page, vidence }) => {
  const error = { code: 'unavailable', message: 'not now' };
  const answer = { status: 503, headers: { 'Retry-After': '100' }, json: { error } };
  await page.route('**/takes/*', (route) => route.fulfill(answer));
  const [created, witness] = await Witness.openAtCamera(page, vidence);
  await witness.recordFor(2);
  await expect(witness.notice('retrying').first()).toBeVisible();
  // Stop is such a press, too.
  const refused = page.waitForEvent('requestfinished', (it) => it.url().includes('/takes/'));
  await witness.stopRecording();
  await refused;
  await page.unrouteAll();
  await witness.submit();
  const recorded = witness.spy.bytes();
  RecorderSpy.expectSealed(await vidence.download(created), recorded);
});

test('the page says that the server is full, and resumes the upload by itself', async ({ page, vidence }) => {
  const error = { code: 'insufficient_storage', message: 'The server is full.' };
  await page.route('**/takes/*', (route) => route.fulfill({ status: 507, json: { error } }));
  const [created, witness] = await Witness.openAtCamera(page, vidence);
  await witness.startRecording();
  await expect(witness.notice('server-full').first()).toBeVisible();
  await expectFits(page, 'recording-server-full');
  await witness.waitForSeconds(2);
  await witness.stopRecording();
  await page.unrouteAll();
  await expect(witness.notice('complete').first()).toBeVisible({ timeout: 40_000 });
  await expect(witness.notice('server-full')).toHaveCount(0);
  await witness.submit();
  const recorded = witness.spy.bytes();
  RecorderSpy.expectSealed(await vidence.download(created), recorded);
});

test('a take beyond the limit waits until another one is deleted', async ({ page, vidence }) => {
  const [created, witness] = await Witness.openAtCamera(page, vidence);
  const others = [];
  for (let other = 0; other < MAX_TAKES; other++) others.push(await createTake(vidence, created));
  await witness.startRecording();
  await expect(witness.notice('server-full').first()).toBeVisible();
  await deleteTake(vidence, others[0]);
  await expect(witness.notice('server-full')).toHaveCount(0, { timeout: 30_000 });
  await witness.stopRecording();
  await witness.submit();
  const recorded = witness.spy.bytes();
  RecorderSpy.expectSealed(await vidence.download(created), recorded);
});

test('a take that the server lost before the submission is uploaded again', async ({ page, vidence }) => {
  const takes = collectTakes(page);
  const [created, witness] = await Witness.openAtCamera(page, vidence);
  await witness.recordFor(3);
  await witness.stopRecording();
  await expect(witness.notice('complete').first()).toBeVisible();
  await deleteTake(vidence, takes[0]);
  await witness.submit();
  expect(takes).toHaveLength(2);
  const recorded = witness.spy.bytes();
  RecorderSpy.expectSealed(await vidence.download(created), recorded);
});

test('a take that the server lost during its upload is uploaded from the beginning', async ({ page, vidence }) => {
  const takes = collectTakes(page);
  const [created, witness] = await Witness.openAtCamera(page, vidence);
  await witness.recordFor(2);
  await expect.poll(() => vidence.committedBytes(created)).toBeGreaterThan(0);
  await page.route('**/takes/*', (route) => route.abort());
  await witness.waitForSeconds(4);
  await witness.stopRecording();
  await deleteTake(vidence, takes[0]);
  await page.unrouteAll();
  await expect(witness.notice('complete').first()).toBeVisible({ timeout: 40_000 });
  await witness.submit();
  expect(takes).toHaveLength(2);
  const recorded = witness.spy.bytes();
  RecorderSpy.expectSealed(await vidence.download(created), recorded);
});

for (const [what, happen] of [
  ['that the server loses', async (_: Page, vidence: Vidence, take: string) => deleteTake(vidence, take)],
  ['that fails on the server', async (page: Page) => failTakeOnce(page)],
] as const) {
  test(`a take ${what} during the recording is uploaded from the beginning while recording continues`, async ({
    page,
    vidence,
  }) => {
    const takes = collectTakes(page);
    const [created, witness] = await Witness.openAtCamera(page, vidence);
    await witness.recordFor(2);
    await expect.poll(() => vidence.committedBytes(created)).toBeGreaterThan(0);
    await happen(page, vidence, takes[0]);
    await expect.poll(() => takes.length, { timeout: 30_000 }).toBe(2);
    await witness.waitForState('recording');
    await witness.stopRecording();
    await witness.submit();
    const recorded = witness.spy.bytes();
    RecorderSpy.expectSealed(await vidence.download(created), recorded);
  });
}

test('what answers in the server’s place doesn’t make a video sent', async ({ page, vidence }) => {
  const [created, witness] = await Witness.openAtCamera(page, vidence);
  await witness.recordFor(1);
  await witness.stopRecording();
  const json = 'application/json';
  const answers = [
    { status: 204 },
    { status: 200, contentType: json, body: '{"status":"maintenance"}' },
    { status: 200, contentType: 'application/xhtml+xml', body: '<p>Sign in</p>' },
  ];
  let asked = 0;
  await page.route('**/submission', async (route) => {
    const answer = answers[asked++];
    await (answer ? route.fulfill(answer) : route.continue());
  });
  await witness.submit();
  expect(asked).toBe(answers.length + 1);
  expect((await vidence.fetchStatus(created)).status).toBe('submitted');
});

/** The limit of takes for one link. */
const MAX_TAKES = 10;

/** Creates a take, as another device would, and returns its path. */
async function createTake(vidence: Vidence, created: Created): Promise<string> {
  const answer = await fetch(vidence.url(`/r/${created.id}/takes`), {
    method: 'POST',
    headers: { 'Content-Type': 'video/webm', 'Upload-Complete': '?0' },
  });
  expect(answer.status).toBe(201);
  return new URL(answer.headers.get('location')!, vidence.url('/')).pathname;
}

/** Collects the paths of the takes that this page creates. */
function collectTakes(page: Page): string[] {
  const takes: string[] = [];
  page.on('response', (answer) => {
    const { location } = answer.headers();
    if (answer.url().endsWith('/takes') && location) takes.push(location);
  });
  return takes;
}

/** Deletes a take on the server without the page that uploads it. */
async function deleteTake(vidence: Vidence, take: string): Promise<void> {
  const answer = await fetch(vidence.url(take), { method: 'DELETE' });
  expect(answer.status).toBe(204);
}

/** The server answers the next part with `take_failed`. */
async function failTakeOnce(page: Page): Promise<void> {
  const error = { code: 'take_failed', message: 'The recording failed on the server; begin a new one.' };
  const answer = { status: 422, contentType: 'application/json', body: JSON.stringify({ error }) };
  await page.route('**/takes/*', (route) => route.fulfill(answer), { times: 1 });
}
