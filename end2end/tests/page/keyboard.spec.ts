// Every step works by keyboard, keeps the focus, and is announced to screen readers.
import { type Locator, type Page } from '@playwright/test';
import { expect, test } from '../../support/server/vidence.ts';
import { trackDevices, unplugCamera } from '../../support/device/devices.ts';
import { Witness } from '../../support/page/witness.ts';

test('every step works by keyboard, and the focus is never lost', async ({ page, vidence }) => {
  await page.clock.install();
  const created = await vidence.createRequest('Show the dent.\nThen the whole side.\nThen the number plate.');
  const witness = new Witness(page);
  await witness.open(created.submission_url);
  await expect(witness.cameraButton).toBeEnabled();

  for (const [button, key, state] of [
    [witness.cameraButton, 'Enter', 'preview'],
    [witness.recordButton, 'Space', 'countdown'],
    [witness.pauseButton, 'Space', 'paused'],
    [witness.resumeButton, 'Enter', 'recording'],
    [witness.stopButton, 'Space', 'review'],
    [witness.recordAgainButton, 'Enter', 'confirming-discard'],
    [witness.keepButton, 'Enter', 'review'],
    [witness.submitButton, 'Enter', 'submitted'],
  ] as const) {
    await expect(button).toBeEnabled();
    await tabTo(page, button);
    // Stops the page’s clock, so that only a key can end the countdown.
    if (state === 'countdown') await expect(() => page.clock.pauseAt(Date.now() + 1000)).toPass();
    await page.keyboard.press(key);
    await witness.waitForState(state);
    await expectFocus(page, state);
    if (state === 'preview') {
      await tickFirstStep(page);
      await tickSecondStep(page);
    }
    if (state === 'countdown') await skipCountdown(page, witness);
  }
  expect((await vidence.fetchStatus(created)).status).toBe('submitted');
});

test('a step that has the focus when the camera is unplugged hands it on', async ({ page, vidence }) => {
  await trackDevices(page);
  const created = await vidence.createRequest('Show the dent.\nThen the whole side.');
  const witness = new Witness(page);
  await witness.open(created.submission_url);
  await witness.turnOnCamera();
  const step = page.getByRole('checkbox', { name: 'Show the dent.' });
  await step.focus();
  await unplugCamera(page);
  await witness.waitForState(/^blocked/);
  await expect(step).toBeHidden();
  await expectFocus(page, 'blocked');
});

test('declining to discard keeps the recording', async ({ page, vidence }) => {
  const [created, witness] = await Witness.openAtCamera(page, vidence);
  await witness.recordFor(1);
  await witness.stopRecording();
  await witness.recordAgainButton.click();
  await witness.waitForState('confirming-discard');
  await expectFocus(page, 'confirming-discard');
  await witness.keepButton.click();
  await witness.waitForState('review');
  expect((await vidence.fetchState(created)).takes).toHaveLength(1);
});

test('every state is announced to screen readers', async ({ page, vidence }) => {
  const [, witness] = await Witness.openAtCamera(page, vidence);
  const says = async (state: string) => {
    await witness.waitForState(state);
    const text = await page.locator(`[data-announces="${state}"]`).textContent();
    expect(text?.trim()).toBeTruthy();
    await expect(witness.liveRegion).toHaveText(text!);
  };
  await says('preview');
  await witness.startRecording();
  await says('recording');
  await witness.waitForSeconds(2);
  // The elapsed time is not announced each second.
  const spoken = await collectTexts(witness.liveRegion);
  await witness.waitForSeconds(4);
  expect(await spoken()).toEqual([]);
  await witness.pauseButton.click();
  await says('paused');
  await witness.resumeButton.click();
  await says('recording');
  await witness.stopButton.click();
  await says('review');
  await witness.submitButton.click();
  await says('submitted');
});

test('a lost connection is announced to screen readers, each time', async ({ page, context, vidence }) => {
  const [, witness] = await Witness.openAtCamera(page, vidence);
  await witness.recordFor(1);
  const spoken = await collectTexts(witness.liveRegion);
  const text = (await page.locator('[data-announces="offline"]').textContent())!.trim();
  expect(text).not.toBe('');
  for (const times of [1, 2]) {
    await context.setOffline(true);
    // It may follow an announcement of the same moment: that something could not be sent.
    const said = async () => (await spoken()).filter((it) => it.trim().endsWith(text)).length;
    await expect.poll(said).toBe(times);
    await context.setOffline(false);
    await expect(page.locator('[data-if="offline"]:visible')).toHaveCount(0);
  }
  // A screen reader doesn’t read what stays the same.
  const said = await spoken();
  expect(said.filter((it, index) => it === said[index - 1])).toEqual([]);
});

/** Ticks a step by key, in the sheet that shows all of them. */
async function tickFirstStep(page: Page): Promise<void> {
  const step = page.getByRole('checkbox', { name: 'Show the dent.' });
  await tabTo(page, page.getByRole('button', { name: 'You’ve been asked for a video' }));
  await page.keyboard.press('Enter');
  await tabTo(page, step);
  await page.keyboard.press('Space');
  await expect(step).toBeChecked();
  await page.keyboard.press('Escape');
  await expect(step).toBeHidden();
}

/** Ticks a step by key over the picture. It is hidden then, and the next one has the focus. */
async function tickSecondStep(page: Page): Promise<void> {
  const step = page.getByRole('checkbox', { name: 'Then the whole side.' });
  await page.keyboard.press('Shift+Tab');
  await expect(step).toBeFocused();
  await page.keyboard.press('Space');
  await expect(step).toBeHidden();
  await expect(page.getByRole('checkbox', { name: 'Then the number plate.' })).toBeFocused();
}

/** Ends the countdown by key. The page's clock stands still, so it doesn't end by itself. */
async function skipCountdown(page: Page, witness: Witness): Promise<void> {
  // Presses count again a second after the last one.
  await page.clock.runFor(1000);
  await witness.waitForState('countdown');
  await tabTo(page, witness.action('skip-countdown'));
  await page.keyboard.press('Enter');
  await witness.waitForState('recording');
  await page.clock.resume();
}

/** Presses Tab until this has the focus. */
async function tabTo(page: Page, wanted: Locator): Promise<void> {
  const there = () => wanted.evaluate((it) => it === document.activeElement);
  for (let steps = 0; !(await there()); steps++) {
    expect(steps, 'steps with Tab').toBeLessThan(40);
    await page.keyboard.press('Tab');
  }
}

/** Some element has the focus, so that Tab continues from there. */
async function expectFocus(page: Page, state: string): Promise<void> {
  const lost = () => page.evaluate(() => [null, document.body].includes(document.activeElement as HTMLElement | null));
  await expect.poll(lost, { message: `the focus is lost: ${state}` }).toBe(false);
}

/** Collects the texts of this element from now on. Returns a function that reads them. */
async function collectTexts(element: Locator): Promise<() => Promise<string[]>> {
  const handle = await element.evaluateHandle((it) => {
    const texts: string[] = [];
    const options = { childList: true, characterData: true, subtree: true };
    new MutationObserver(() => texts.push(it.textContent ?? '')).observe(it, options);
    return texts;
  });
  return () => handle.jsonValue();
}
