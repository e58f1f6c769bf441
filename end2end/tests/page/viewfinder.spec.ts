// From the preview to the end of the recording the page is one frame: nothing in it moves, and nothing leads away.
import type { Page } from '@playwright/test';
import { type Vidence, expect, test } from '../../support/server/vidence.ts';
import { Witness } from '../../support/page/witness.ts';

const STEPS = 'Show the dent in the left rear door.\nStep back and show the whole side.\nThen the number plate.';

/** A small phone, a smaller one, and a phone in landscape. */
const PHONES = [
  { width: 360, height: 640 },
  { width: 320, height: 568 },
  { width: 844, height: 390 },
];

test('picture and shutter stay where they are, and the red bar in sight, on every phone', async ({ page, vidence }) => {
  test.setTimeout(180_000);
  for (const size of PHONES) {
    await test.step(`${size.width}x${size.height}`, () => expectSteady(page, vidence, size));
  }
});

test('the instruction leaves the picture free, and opens as a whole', async ({ page, vidence }) => {
  await page.setViewportSize({ width: 390, height: 664 });
  const created = await vidence.createRequest('Show the label on the back of the device from close up. '.repeat(12));
  const witness = new Witness(page);
  await witness.open(created.submission_url);
  await witness.turnOnCamera();
  const text = page.getByText('Show the label on the back');
  const bottom = () => text.evaluate((it) => it.getBoundingClientRect().bottom);
  expect(await bottom()).toBeLessThanOrEqual(112);
  const isCut = () => text.evaluate((it) => it.scrollHeight > it.clientHeight + 1);
  expect(await isCut()).toBe(true);
  await witness.promptButton.click();
  await expect.poll(isCut).toBe(false);
  await page.keyboard.press('Escape');
  await expect.poll(bottom).toBeLessThanOrEqual(112);
});

/** Walks through the states of the camera. */
async function expectSteady(page: Page, vidence: Vidence, size: (typeof PHONES)[number]): Promise<void> {
  await page.setViewportSize(size);
  const created = await vidence.createRequest(STEPS);
  const witness = new Witness(page);
  await page.goto(created.submission_url);
  await witness.turnOnCamera();
  const before = await frame(page);
  expect(before.picture.width).toBeGreaterThan(size.width / 2);
  await expectNoScrolling(page);

  const goOn = await witness.holdCountdown();
  await witness.recordButton.click();
  await witness.waitForState('countdown');
  const countdown = await frame(page);
  await goOn();
  await witness.waitForState('recording');
  await witness.waitForSeconds(1);
  await page.getByRole('checkbox').first().check({ force: true });
  const recording = await frame(page);
  await expect(page.locator('.status--recording')).toBeInViewport({ ratio: 1 });
  await expect(witness.stopButton).toBeInViewport({ ratio: 1 });
  await expectNoScrolling(page);

  await witness.pauseButton.click();
  await witness.waitForState('paused');
  const paused = await frame(page);
  await expect(witness.stopButton).toBeInViewport({ ratio: 1 });
  await expectNoScrolling(page);
  for (const after of [countdown, recording, paused]) {
    expect(after.picture).toEqual(before.picture);
    expect(Math.abs(after.shutter.x - before.shutter.x)).toBeLessThanOrEqual(1);
    expect(Math.abs(after.shutter.y - before.shutter.y)).toBeLessThanOrEqual(1);
  }
  // The page asks before it is left.
  page.once('dialog', (dialog) => dialog.accept());
}

/** Where the picture is, and the middle of the shutter. */
async function frame(page: Page) {
  return page.evaluate(() => {
    const shutters = [...document.querySelectorAll('.shutter')].filter((it) => it.checkVisibility());
    if (shutters.length !== 1) throw new Error(`there are ${shutters.length} shutters`);
    const { x, y, width, height } = shutters[0].getBoundingClientRect();
    const picture = document.querySelector('[data-element=live]')!.getBoundingClientRect();
    return {
      picture: { x: picture.x, y: picture.y, width: picture.width, height: picture.height },
      shutter: { x: x + width / 2, y: y + height / 2 },
    };
  });
}

/** The page is no longer than the screen, and neither a wheel nor a key scrolls it. */
async function expectNoScrolling(page: Page): Promise<void> {
  const beyond = () => page.evaluate(() => document.documentElement.scrollHeight - innerHeight);
  expect(await beyond()).toBeLessThanOrEqual(0);
  await page.mouse.move(50, 150);
  await page.mouse.wheel(0, 400);
  await page.keyboard.press('End');
  const scrolled = () => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => done(scrollY))));
  expect(await scrolled()).toBe(0);
}
