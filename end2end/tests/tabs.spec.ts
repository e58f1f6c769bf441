import type { Page } from '@playwright/test';
import { room, settled, unnoted, untold } from './devices.ts';
import { fits } from './screens.ts';
import { Tape } from './tape.ts';
import { expect, test } from './vidence.ts';
import { Witness } from './witness.ts';

test('a second tab says that the first has it, and is free when that closes', async ({ page, context, vidence }) => {
  const [created, first] = await Witness.invited(page, vidence);
  await first.recordFor(2);
  const second = new Witness(await context.newPage());
  await second.open(created.submission_url);
  await second.is('elsewhere');
  await expect(second.page.getByRole('heading', { name: 'This page is open in another tab' })).toBeVisible();
  await expect(second.camera).toBeHidden();
  await fits(second.page, 'elsewhere');
  await first.stops();
  await expect(first.notice('complete').first()).toBeVisible();

  await page.close();
  await second.is('review');
  await second.plays(1);
  await second.sends();
  const recorded = first.tape.bytes();
  Tape.expectWhole(await vidence.download(created), recorded);
});

test('a second tab goes on with what the first one records, and the first one says so', async ({
  page,
  context,
  vidence,
}) => {
  const [created, first] = await Witness.invited(page, vidence);
  await first.recordFor(3);
  const second = new Witness(await context.newPage());
  await second.open(created.submission_url);
  await second.is('elsewhere');
  const states = await statesOf(second);
  await second.does('take-over').click();
  await second.is('review');
  // Nothing could be begun in between.
  expect(await states()).toEqual(['review']);
  await first.is('elsewhere');
  await second.plays(2);
  await second.sends();
  const recorded = first.tape.bytes();
  Tape.expectWhole(await vidence.download(created), recorded);
});

test('a tab that was taken over takes over in its turn', async ({ page, context, vidence }) => {
  const [created, first] = await Witness.invited(page, vidence);
  const second = new Witness(await context.newPage());
  await second.open(created.submission_url);
  await second.does('take-over').click();
  await second.is('idle');
  await second.turnOnCamera();
  await second.recordFor(2);
  await second.stops();
  await first.is('elsewhere');
  await first.does('take-over').click();
  await first.is('review');
  await second.is('elsewhere');
  await second.page.close();
  await first.sends();
  const recorded = second.tape.bytes();
  Tape.expectWhole(await vidence.download(created), recorded);
});

test('a tab that was frozen while another one went on changes nothing of what that one keeps', async ({
  page,
  context,
  vidence,
}) => {
  await untold(page);
  // So that there is something to note when it wakes up.
  await page.route('**/takes', (route) => route.abort());
  const [created, first] = await Witness.invited(page, vidence);
  await first.recordFor(2);
  await first.stops();
  await first.isKept();

  const second = new Witness(await context.newPage());
  await second.open(created.submission_url);
  await second.does('take-over').click();
  await second.is('review');
  await second.recordsAgain();
  await second.recordFor(3);
  await second.stops();
  await second.isKept();

  await page.unrouteAll();
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await expect(first.notice('complete').first()).toBeVisible({ timeout: 40_000 });
  await settled(page);
  await second.page.reload();
  await second.is('review');
  await second.plays(2);
  await second.sends();
  const recorded = second.tape.bytes();
  Tape.expectWhole(await vidence.download(created), recorded);
});

for (const [why, spoil] of [
  ['the device is full', (page: Page) => room(page, 2)],
  ['nothing can be noted of it', unnoted],
] as const) {
  test(`a tab that alone has the recording, because ${why}, keeps it, and the page`, async ({
    page,
    context,
    vidence,
  }) => {
    await spoil(page);
    await page.route('**/takes/*', (route) => route.abort());
    const [created, first] = await Witness.invited(page, vidence);
    await first.recordFor(3);
    const second = new Witness(await context.newPage());
    await second.open(created.submission_url);
    await second.is('elsewhere');
    await second.does('take-over').click();
    await first.reaches((await first.seconds('recorded')) + 6);
    await first.is('recording');
    await second.is('elsewhere');

    await page.unrouteAll();
    await first.stops();
    await first.sends();
    const recorded = first.tape.bytes();
    Tape.expectWhole(await vidence.download(created), recorded);
  });
}

test('a device says so while another one records', async ({ page, browser, vidence }) => {
  // The page asks every ten seconds.
  test.slow();
  const patience = { timeout: 25_000 };
  const [created, laptop] = await Witness.invited(page, vidence);
  const pocket = await browser.newContext();
  const phone = new Witness(await pocket.newPage());
  await phone.open(created.submission_url);
  await phone.turnOnCamera();
  await phone.recordFor(1);
  await expect(laptop.notice('recorded-elsewhere')).toBeVisible(patience);
  await fits(page, 'preview-other-records');
  await phone.stops();
  await expect(laptop.notice('recorded-elsewhere')).toBeHidden(patience);
  await phone.sends();
  await laptop.is('ended-submitted');
  await pocket.close();
});

test('a laptop shows the link as a code for the phone’s camera', async ({ page, vidence }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  const created = await vidence.create();
  const witness = new Witness(page);
  await witness.open(created.submission_url);
  const code = page.locator('img[src$="/qr.svg"]').filter({ visible: true });
  await page.getByText('Use your phone’s camera instead').filter({ visible: true }).click();
  await expect(code).toBeVisible();
  await expect.poll(() => code.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  await fits(page, 'handoff');
});

/** From now on; returns what tells those in which the page has been. */
async function statesOf(witness: Witness): Promise<() => Promise<string[]>> {
  await witness.main.evaluate((main: HTMLElement) => {
    const states = new Set<string>();
    const look = () => states.add(main.dataset.state!);
    new MutationObserver(look).observe(main, { attributeFilter: ['data-state'] });
    Object.assign(window, { states });
  });
  return () => witness.page.evaluate(() => [...((window as any).states as Set<string>)]);
}
