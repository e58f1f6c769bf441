import type { Page } from '@playwright/test';
import { MEGABIT } from './line.ts';
import { Tape } from './tape.ts';
import { type Created, type Vidence, expect, test } from './vidence.ts';
import { fits } from './screens.ts';
import { Witness } from './witness.ts';

test('on a slow network what is shown as sent is safe, and never more than is recorded', async ({
  page,
  vidence,
  line,
}) => {
  const created = await vidence.create();
  const witness = new Witness(page);
  await witness.open(line.url(`/r/${created.id}`));
  await witness.turnOnCamera();
  line.limit(MEGABIT / 2);
  await witness.begins();
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
    // Asked for afterwards: it can only have become more.
    const safe = witness.tape.seconds(await vidence.committed(created));
    expect(sent).toBeLessThanOrEqual(recorded);
    expect(sent).toBeLessThanOrEqual(Math.ceil(safe));
    backlog = Math.max(backlog, recorded - sent);
  }
  // Without a backlog nothing was shown.
  expect(backlog).toBeGreaterThan(1);

  line.limit(Infinity);
  await witness.stops();
  await expect(witness.notice('complete').first()).toBeVisible();
  const recorded = witness.tape.bytes();
  expect(await vidence.committed(created)).toBe(recorded.length);
  await witness.sends();
  Tape.expectWhole(await vidence.download(created), recorded);
});

test('without a network the page says so, records on, and goes on by itself', { tag: '@tls' }, async ({ page, vidence, line }) => {
  const created = await vidence.create();
  const witness = new Witness(page);
  await witness.open(line.url(`/r/${created.id}`));
  await witness.turnOnCamera();
  await witness.recordFor(2);
  await expect.poll(() => vidence.committed(created)).toBeGreaterThan(0);

  await line.cut();
  await expect(witness.notice('retrying').first()).toContainText('The upload isn’t getting through');
  const promised = await vidence.committed(created);
  await witness.reaches((await witness.seconds('recorded')) + 2);
  await fits(page, 'recording-cut-off');
  expect(await vidence.committed(created)).toBe(promised);

  await line.mend();
  // After a long time without a network the page tries each half minute.
  const goesOn = expect.poll(() => vidence.committed(created), { timeout: 45_000 });
  await goesOn.toBeGreaterThan(promised);
  await expect(witness.notice('retrying')).toHaveCount(0);
  await witness.stops();
  await witness.sends();
  const recorded = witness.tape.bytes();
  Tape.expectWhole(await vidence.download(created), recorded);
});

test('a phone that is offline is told that it goes on later', async ({ page, context, vidence }) => {
  const [created, witness] = await Witness.invited(page, vidence);
  await witness.recordFor(1);
  await context.setOffline(true);
  await expect(witness.notice('offline')).toContainText('when you’re back');
  await witness.stops();
  await expect(witness.review).toBeVisible();
  await fits(page, 'review-offline');
  await witness.send.click();
  await witness.is('submitting');
  await fits(page, 'submitting-offline');
  expect((await vidence.status(created)).status).toBe('awaiting_submission');

  await context.setOffline(false);
  await witness.is('submitted');
  const recorded = witness.tape.bytes();
  Tape.expectWhole(await vidence.download(created), recorded);
});

test('a connection that breaks at every turn loses and doubles nothing', { tag: '@tls' }, async ({ page, vidence, line }) => {
  const created = await vidence.create();
  const witness = new Witness(page);
  await witness.open(line.url(`/r/${created.id}`));
  await witness.turnOnCamera();
  await witness.begins();
  line.limit(2 * MEGABIT);
  for (let second = 1; second <= 5; second++) {
    await witness.reaches(second);
    await line.cut();
    await line.mend();
  }
  await witness.stops();
  await witness.sends();
  const recorded = witness.tape.bytes();
  Tape.expectWhole(await vidence.download(created), recorded);
});

test('a submission that fails is tried again, and the take is kept', { tag: '@tls' }, async ({ page, vidence, line }) => {
  const created = await vidence.create();
  const witness = new Witness(page);
  await witness.open(line.url(`/r/${created.id}`));
  await witness.turnOnCamera();
  await witness.recordFor(2);
  await witness.stops();
  await expect(witness.notice('complete').first()).toBeVisible();
  let asked = 0;
  await page.route('**/submission', (route) => {
    asked += 1;
    if (asked > 2) return route.continue();
    const error = { code: 'unavailable', message: 'not now' };
    return route.fulfill({ status: 503, headers: { 'Retry-After': '1' }, json: { error } });
  });
  await witness.send.click();
  await expect(witness.notice('retrying').first()).toBeVisible();
  await witness.is('submitted');
  expect(asked).toBe(3);
  const recorded = witness.tape.bytes();
  Tape.expectWhole(await vidence.download(created), recorded);
});

test('a server without room says so, and the recording goes on by itself', async ({ page, vidence }) => {
  const error = { code: 'insufficient_storage', message: 'The server is full.' };
  await page.route('**/takes/*', (route) => route.fulfill({ status: 507, json: { error } }));
  const [created, witness] = await Witness.invited(page, vidence);
  await witness.begins();
  await expect(witness.notice('server-full').first()).toBeVisible();
  await fits(page, 'recording-server-full');
  await witness.reaches(2);
  await witness.stops();
  await page.unrouteAll();
  await expect(witness.notice('complete').first()).toBeVisible({ timeout: 40_000 });
  await expect(witness.notice('server-full')).toHaveCount(0);
  await witness.sends();
  const recorded = witness.tape.bytes();
  Tape.expectWhole(await vidence.download(created), recorded);
});

test('a recording that finds no place on its link waits for one', async ({ page, vidence }) => {
  const [created, witness] = await Witness.invited(page, vidence);
  const others = [];
  for (let other = 0; other < MAX_TAKES; other++) others.push(await beginsTake(vidence, created));
  await witness.begins();
  await expect(witness.notice('server-full').first()).toBeVisible();
  await lose(vidence, others[0]);
  await expect(witness.notice('server-full')).toHaveCount(0, { timeout: 30_000 });
  await witness.stops();
  await witness.sends();
  const recorded = witness.tape.bytes();
  Tape.expectWhole(await vidence.download(created), recorded);
});

test('a take that the server has lost when it is to be submitted is sent once more', async ({ page, vidence }) => {
  const takes = begun(page);
  const [created, witness] = await Witness.invited(page, vidence);
  await witness.recordFor(3);
  await witness.stops();
  await expect(witness.notice('complete').first()).toBeVisible();
  await lose(vidence, takes[0]);
  await witness.sends();
  expect(takes).toHaveLength(2);
  const recorded = witness.tape.bytes();
  Tape.expectWhole(await vidence.download(created), recorded);
});

test('a take that the server loses on its way is sent from its beginning', async ({ page, vidence }) => {
  const takes = begun(page);
  const [created, witness] = await Witness.invited(page, vidence);
  await witness.recordFor(2);
  await expect.poll(() => vidence.committed(created)).toBeGreaterThan(0);
  await page.route('**/takes/*', (route) => route.abort());
  await witness.reaches(4);
  await witness.stops();
  await lose(vidence, takes[0]);
  await page.unrouteAll();
  await expect(witness.notice('complete').first()).toBeVisible({ timeout: 40_000 });
  await witness.sends();
  expect(takes).toHaveLength(2);
  const recorded = witness.tape.bytes();
  Tape.expectWhole(await vidence.download(created), recorded);
});

for (const [what, happen] of [
  ['that the server loses', async (_: Page, vidence: Vidence, take: string) => lose(vidence, take)],
  ['that fails on the server', async (page: Page) => failOnce(page)],
] as const) {
  test(`a take ${what} while it is recorded is sent from its beginning, and recorded on`, async ({ page, vidence }) => {
    const takes = begun(page);
    const [created, witness] = await Witness.invited(page, vidence);
    await witness.recordFor(2);
    await expect.poll(() => vidence.committed(created)).toBeGreaterThan(0);
    await happen(page, vidence, takes[0]);
    await expect.poll(() => takes.length, { timeout: 30_000 }).toBe(2);
    await witness.is('recording');
    await witness.stops();
    await witness.sends();
    const recorded = witness.tape.bytes();
    Tape.expectWhole(await vidence.download(created), recorded);
  });
}

/** As many as one link may have. */
const MAX_TAKES = 10;

/** Another device begins a take with this link. Its path. */
async function beginsTake(vidence: Vidence, created: Created): Promise<string> {
  const answer = await fetch(vidence.url(`/r/${created.id}/takes`), {
    method: 'POST',
    headers: { 'Content-Type': 'video/webm', 'Upload-Complete': '?0' },
  });
  expect(answer.status).toBe(201);
  return new URL(answer.headers.get('location')!, vidence.url('/')).pathname;
}

/** Where the takes are that this page begins. */
function begun(page: Page): string[] {
  const takes: string[] = [];
  page.on('response', (answer) => {
    const { location } = answer.headers();
    if (answer.url().endsWith('/takes') && location) takes.push(location);
  });
  return takes;
}

/** Lets a take be gone, behind the back of the page that sends it. */
async function lose(vidence: Vidence, take: string): Promise<void> {
  const answer = await fetch(vidence.url(take), { method: 'DELETE' });
  expect(answer.status).toBe(204);
}

/** The server says of the next part that it can't keep the take. */
async function failOnce(page: Page): Promise<void> {
  const error = { code: 'take_failed', message: 'The recording failed on the server; begin a new one.' };
  const answer = { status: 422, contentType: 'application/json', body: JSON.stringify({ error }) };
  await page.route('**/takes/*', (route) => route.fulfill(answer), { times: 1 });
}
