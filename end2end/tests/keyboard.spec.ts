import { type Locator, type Page } from '@playwright/test';
import { expect, test } from './vidence.ts';
import { Witness } from './witness.ts';

test('the whole way can be gone with a keyboard, and the place on it is never lost', async ({ page, vidence }) => {
  await page.clock.install();
  const created = await vidence.create('Show the dent.\nThen the number plate.');
  const witness = new Witness(page);
  await witness.open(created.submission_url);
  await expect(witness.camera).toBeEnabled();
  await reach(page, page.getByRole('checkbox').first());
  await page.keyboard.press('Space');
  await expect(page.getByRole('checkbox').first()).toBeChecked();

  for (const [button, key, state] of [
    [witness.camera, 'Enter', 'preview'],
    [witness.record, 'Space', 'countdown'],
    [witness.pause, 'Space', 'paused'],
    [witness.goOn, 'Enter', 'recording'],
    [witness.stop, 'Space', 'review'],
    [witness.again, 'Enter', 'confirming-discard'],
    [witness.keep, 'Enter', 'review'],
    [witness.send, 'Enter', 'submitted'],
  ] as const) {
    await expect(button).toBeEnabled();
    await reach(page, button);
    // The countdown is to end by a key alone.
    if (state === 'countdown') await page.clock.pauseAt(Date.now() + 1000);
    await page.keyboard.press(key);
    await witness.is(state);
    await isSomewhere(page, state);
    if (state === 'countdown') await startsNow(page, witness);
  }
  expect((await vidence.status(created)).status).toBe('submitted');
});

test('a recording that is about to be thrown away can be kept', async ({ page, vidence }) => {
  const [created, witness] = await Witness.invited(page, vidence);
  await witness.recordFor(1);
  await witness.stops();
  await witness.again.click();
  await witness.is('confirming-discard');
  await isSomewhere(page, 'confirming-discard');
  await witness.keep.click();
  await witness.is('review');
  expect((await vidence.state(created)).takes).toHaveLength(1);
});

test('what happens is said to those who don’t see it', async ({ page, vidence }) => {
  const [, witness] = await Witness.invited(page, vidence);
  const says = async (state: string) => {
    await witness.is(state);
    const text = await page.locator(`[data-announces="${state}"]`).textContent();
    expect(text?.trim()).toBeTruthy();
    await expect(witness.announced).toHaveText(text!);
  };
  await says('preview');
  await witness.begins();
  await says('recording');
  await witness.reaches(2);
  // Once, and not each second.
  const spoken = await listen(witness.announced);
  await witness.reaches(4);
  expect(await spoken()).toEqual([]);
  await witness.pause.click();
  await says('paused');
  await witness.goOn.click();
  await says('recording');
  await witness.stop.click();
  await says('review');
  await witness.send.click();
  await says('submitted');
});

test('what goes wrong is said to those who don’t see it', async ({ page, context, vidence }) => {
  const [, witness] = await Witness.invited(page, vidence);
  await witness.recordFor(1);
  const spoken = await listen(witness.announced);
  await context.setOffline(true);
  const text = (await page.locator('[data-announces="offline"]').textContent())!;
  expect(text.trim()).not.toBe('');
  // With what comes in the same moment: that something could not be sent.
  await expect.poll(async () => (await spoken()).some((said) => said.endsWith(text))).toBe(true);
  await context.setOffline(false);
});

/** Ends the countdown by key: the page's time stands still, so it doesn't end by itself. */
async function startsNow(page: Page, witness: Witness): Promise<void> {
  // A second after a press the next one counts.
  await page.clock.runFor(1000);
  await witness.is('countdown');
  await reach(page, witness.does('skip-countdown'));
  await page.keyboard.press('Enter');
  await witness.is('recording');
  await page.clock.resume();
}

/** Goes on by Tab until this has the focus. */
async function reach(page: Page, wanted: Locator): Promise<void> {
  const there = () => wanted.evaluate((it) => it === document.activeElement);
  for (let steps = 0; !(await there()); steps++) {
    expect(steps, 'steps with Tab').toBeLessThan(40);
    await page.keyboard.press('Tab');
  }
}

/** Something visible has the focus, so that Tab goes on from there. */
async function isSomewhere(page: Page, state: string): Promise<void> {
  const lost = () => page.evaluate(() => [null, document.body].includes(document.activeElement as HTMLElement | null));
  await expect.poll(lost, { message: `the focus is lost: ${state}` }).toBe(false);
}

/** What this element says from now on. */
async function listen(element: Locator): Promise<() => Promise<string[]>> {
  const handle = await element.evaluateHandle((it) => {
    const texts: string[] = [];
    const options = { childList: true, characterData: true, subtree: true };
    new MutationObserver(() => texts.push(it.textContent ?? '')).observe(it, options);
    return texts;
  });
  return () => handle.jsonValue();
}
