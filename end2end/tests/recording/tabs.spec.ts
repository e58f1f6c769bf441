// One tab records at a time: others wait, take over or say so, and none changes what another has stored.
import type { Page } from '@playwright/test';
import { ignoreTakeover } from '../../support/device/devices.ts';
import { expectFits } from '../../support/page/screens.ts';
import { RecorderSpy } from '../../support/page/recorder_spy.ts';
import { failToStoreTakes, limitStoredPieces, waitForStoredWrites } from '../../support/device/storage_faults.ts';
import { expect, test } from '../../support/server/vidence.ts';
import { Witness } from '../../support/page/witness.ts';

test('a second tab waits while the first one records, and takes over once that closes', async ({
  page,
  context,
  vidence,
}) => {
  const [created, first] = await Witness.openAtCamera(page, vidence);
  await first.recordFor(2);
  const second = new Witness(await context.newPage());
  await second.open(created.submission_url);
  await second.waitForState('elsewhere');
  await expect(second.page.getByRole('heading', { name: 'This page is open in another tab' })).toBeVisible();
  await expect(second.cameraButton).toBeHidden();
  await expectFits(second.page, 'elsewhere');
  await first.stopRecording();
  await expect(first.notice('complete').first()).toBeVisible();

  await page.close();
  await second.waitForState('review');
  await second.waitForDuration(1);
  await second.submit();
  const recorded = first.spy.bytes();
  RecorderSpy.expectSealed(await vidence.download(created), recorded);
});

test('a second tab can take over the recording of the first one, which says so', async ({ page, context, vidence }) => {
  const [created, first] = await Witness.openAtCamera(page, vidence);
  await first.recordFor(3);
  const second = new Witness(await context.newPage());
  await second.open(created.submission_url);
  await second.waitForState('elsewhere');
  const states = await collectStates(second);
  await second.action('take-over').click();
  await second.waitForState('review');
  // No other state was shown in between.
  expect(await states()).toEqual(['review']);
  await first.waitForState('elsewhere');
  await second.waitForDuration(2);
  await second.submit();
  const recorded = first.spy.bytes();
  RecorderSpy.expectSealed(await vidence.download(created), recorded);
});

test('a tab that lost the recording can take it back', async ({ page, context, vidence }) => {
  const [created, first] = await Witness.openAtCamera(page, vidence);
  const second = new Witness(await context.newPage());
  await second.open(created.submission_url);
  await second.action('take-over').click();
  await second.waitForState('idle');
  await second.turnOnCamera();
  await second.recordFor(2);
  await second.stopRecording();
  await first.waitForState('elsewhere');
  await first.action('take-over').click();
  await first.waitForState('review');
  await second.waitForState('elsewhere');
  await second.page.close();
  await first.submit();
  const recorded = second.spy.bytes();
  RecorderSpy.expectSealed(await vidence.download(created), recorded);
});

test('a frozen tab that wakes up changes nothing that another tab has stored', async ({ page, context, vidence }) => {
  await ignoreTakeover(page);
  // It has something to store when it wakes up.
  await page.route('**/takes', (route) => route.abort());
  const [created, first] = await Witness.openAtCamera(page, vidence);
  await first.recordFor(2);
  await first.stopRecording();
  await first.waitUntilStored();

  const second = new Witness(await context.newPage());
  await second.open(created.submission_url);
  await second.action('take-over').click();
  await second.waitForState('review');
  await second.recordAgain();
  await second.recordFor(3);
  await second.stopRecording();
  await second.waitUntilStored();

  await page.unrouteAll();
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await expect(first.notice('complete').first()).toBeVisible({ timeout: 40_000 });
  await waitForStoredWrites(page);
  await second.page.reload();
  await second.waitForState('review');
  await second.waitForDuration(2);
  await second.submit();
  const recorded = second.spy.bytes();
  RecorderSpy.expectSealed(await vidence.download(created), recorded);
});

for (const [why, spoil] of [
  ['the device is full', (page: Page) => limitStoredPieces(page, 2)],
  ['nothing can be noted of it', failToStoreTakes],
] as const) {
  test(`a tab that has the only copy, because ${why}, is not taken over`, async ({ page, context, vidence }) => {
    await spoil(page);
    await page.route('**/takes/*', (route) => route.abort());
    const [created, first] = await Witness.openAtCamera(page, vidence);
    await first.recordFor(3);
    const second = new Witness(await context.newPage());
    await second.open(created.submission_url);
    await second.waitForState('elsewhere');
    await second.action('take-over').click();
    await first.waitForSeconds((await first.seconds('recorded')) + 6);
    await first.waitForState('recording');
    await second.waitForState('elsewhere');

    await page.unrouteAll();
    await first.stopRecording();
    // The next attempt may be half a minute away.
    await expect(first.notice('complete').first()).toBeVisible({ timeout: 40_000 });
    await first.submit();
    const recorded = first.spy.bytes();
    RecorderSpy.expectSealed(await vidence.download(created), recorded);
  });
}

test('a device says that another one is recording', async ({ page, browser, vidence }) => {
  // The page polls every ten seconds.
  test.slow();
  const patience = { timeout: 25_000 };
  const [created, laptop] = await Witness.openAtCamera(page, vidence);
  const pocket = await browser.newContext();
  const phone = new Witness(await pocket.newPage());
  await phone.open(created.submission_url);
  await phone.turnOnCamera();
  await phone.recordFor(1);
  await expect(laptop.notice('recorded-elsewhere')).toBeVisible(patience);
  await expectFits(page, 'preview-other-records');
  await phone.stopRecording();
  await expect(laptop.notice('recorded-elsewhere')).toBeHidden(patience);
  await phone.submit();
  await expect(laptop.main).toHaveAttribute('data-state', 'ended-submitted', patience);
  await pocket.close();
});

test('a laptop shows the link as a QR code for the phone', async ({ page, vidence }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  const created = await vidence.createRequest();
  const witness = new Witness(page);
  await witness.open(created.submission_url);
  const code = page.locator('img[src$="/qr.svg"]').filter({ visible: true });
  await witness.otherWaysButton.click();
  await page.getByText('Use your phone’s camera instead').filter({ visible: true }).click();
  await expect(code).toBeVisible();
  await expect.poll(() => code.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  await expectFits(page, 'handoff');
});

/** Collects the states of the page from now on. Returns a function that reads them. */
async function collectStates(witness: Witness): Promise<() => Promise<string[]>> {
  await witness.main.evaluate((main: HTMLElement) => {
    const states = new Set<string>();
    const look = () => states.add(main.dataset.state!);
    new MutationObserver(look).observe(main, { attributeFilter: ['data-state'] });
    Object.assign(window, { states });
  });
  return () => witness.page.evaluate(() => [...((window as any).states as Set<string>)]);
}
