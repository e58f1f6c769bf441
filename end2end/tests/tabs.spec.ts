import { fits } from './screens.ts';
import { expect, test } from './vidence.ts';
import { Witness } from './witness.ts';

test('a second tab says that the first has it, and is free when that closes', async ({ page, context, vidence }) => {
  const [created, first] = await Witness.invited(page, vidence);
  await first.recordFor(2);
  const second = new Witness(await context.newPage());
  await second.open(created.submission_url);
  await second.is('elsewhere');
  await expect(second.record).toHaveCount(0);
  await fits(second.page, 'elsewhere');
  await first.stops();
  await expect(first.notice('complete').first()).toBeVisible();

  await page.close();
  await second.is('review');
  await second.plays(1);
  await second.sends();
  expect((await vidence.status(created)).status).toBe('submitted');
});

test('each of two devices sees what the other does', async ({ page, browser, vidence }) => {
  // Devices tell the server now and then, not at once.
  test.slow();
  const patience = { timeout: 25_000 };
  const [created, laptop] = await Witness.invited(page, vidence);
  const pocket = await browser.newContext();
  const phone = new Witness(await pocket.newPage());
  await phone.open(created.submission_url);
  await expect(laptop.notice('other-looks').first()).toBeVisible(patience);
  await phone.turnOnCamera();
  await phone.recordFor(1);
  await expect(laptop.notice('other-records').first()).toBeVisible(patience);
  await fits(page, 'preview-other-records');
  await phone.stops();
  await expect(laptop.notice('other-reviews').first()).toBeVisible(patience);
  await expect(phone.notice('other-looks').first()).toBeVisible(patience);
  await phone.sends();
  await laptop.is('over-submitted');
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
  expect(await code.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  await fits(page, 'handoff');
});
