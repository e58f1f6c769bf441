// How the page treats its device and its user: wake lock, leaving, reduced motion, other origins, inert prompts.
import { expect, test } from '../../support/server/vidence.ts';
import { expectFits } from '../../support/page/screens.ts';
import { Witness } from '../../support/page/witness.ts';

test('the screen is kept on while recording, and no longer', async ({ page, vidence }) => {
  await page.addInitScript(() => {
    const locks: WakeLockSentinel[] = [];
    Object.assign(window, { locks });
    const real = WakeLock.prototype.request;
    WakeLock.prototype.request = async function (kind) {
      const lock = await real.call(this, kind);
      locks.push(lock);
      return lock;
    };
  });
  const held = () => page.evaluate(() => (window as any).locks.filter((it: WakeLockSentinel) => !it.released).length);
  const [, witness] = await Witness.openAtCamera(page, vidence);
  await witness.startRecording();
  await expect.poll(held).toBe(1);
  await witness.waitForSeconds(1);
  await witness.stopRecording();
  await expect.poll(held).toBe(0);
});

test('the screen is kept on after a lock was refused, as WebKit does long after a press', async ({ page, vidence }) => {
  await page.addInitScript(() => {
    const real = WakeLock.prototype.request;
    Object.assign(window, { asked: 0, lock: undefined });
    WakeLock.prototype.request = async function (kind) {
      const state = window as any;
      if (state.asked++ === 0) throw new DOMException('no press', 'NotAllowedError');
      return (state.lock = await real.call(this, kind));
    };
  });
  const isHeld = () => page.evaluate(() => (window as any).lock?.released === false);
  const [, witness] = await Witness.openAtCamera(page, vidence);
  await expect.poll(() => page.evaluate(() => (window as any).asked)).toBe(1);
  await witness.startRecording();
  await expect.poll(isHeld).toBe(true);
  await witness.stopRecording();
  await expect.poll(isHeld).toBe(false);
});

test('the browser is asked to keep what is stored only after the recording', async ({ page, vidence }) => {
  await page.addInitScript(() => {
    Object.assign(window, { asked: 0 });
    StorageManager.prototype.persist = async () => Boolean((window as any).asked++);
  });
  const asked = () => page.evaluate(() => (window as any).asked);
  const [, witness] = await Witness.openAtCamera(page, vidence);
  await witness.recordFor(1);
  expect(await asked()).toBe(0);
  await witness.stopRecording();
  await expect.poll(asked).toBe(1);
});

test('leaving the page asks for confirmation only while something is unsent', async ({ page, vidence }) => {
  const asks = () =>
    page.evaluate(() => {
      const leaving = new Event('beforeunload', { cancelable: true });
      dispatchEvent(leaving);
      return leaving.defaultPrevented;
    });
  const created = await vidence.createRequest();
  const witness = new Witness(page);
  await witness.open(created.submission_url);
  await expect(witness.cameraButton).toBeEnabled();
  expect(await asks()).toBe(false);
  await witness.turnOnCamera();
  expect(await asks()).toBe(false);
  await witness.recordFor(1);
  expect(await asks()).toBe(true);
  await witness.stopRecording();
  await expect(witness.notice('complete').first()).toBeVisible();
  await witness.submit();
  expect(await asks()).toBe(false);
});

test('nothing moves with prefers-reduced-motion', async ({ page, vidence }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const [, witness] = await Witness.openAtCamera(page, vidence);
  const moving = () =>
    page.evaluate(() =>
      document
        .getAnimations()
        .filter((it) => it.playState === 'running' && Number(it.effect?.getComputedTiming().duration) > 1)
        .map((it) => ((it.effect as KeyframeEffect).target as Element).className),
    );
  expect(await moving()).toEqual([]);
  const goOn = await witness.holdCountdown();
  await witness.recordButton.click();
  await witness.waitForState('countdown');
  expect(await moving()).toEqual([]);
  await expectFits(page, 'countdown');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await goOn();
  await witness.waitForState('recording');
  expect(await moving()).toEqual([]);
  // Without that preference something moves.
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await expect.poll(moving).not.toEqual([]);
});

test('the page contacts no other origin, and a shared link’s preview reveals nothing of the prompt', async ({
  page,
  vidence,
}) => {
  const foreign: string[] = [];
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(vidence.url('/')) && !url.startsWith('blob:')) foreign.push(url);
  });
  const secret = 'Show the birthmark.';
  const created = await vidence.createRequest(secret);
  const answer = await page.goto(created.submission_url);
  expect(await answer?.headerValue('x-robots-tag')).toBe('noindex');
  await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', /noindex/);
  expect(await answer?.headerValue('referrer-policy')).toBe('no-referrer');
  const preview = await page.locator('head').innerHTML();
  expect(preview).not.toContain('birthmark');
  await expect(page.getByText(secret)).toBeVisible();
  await expect(new Witness(page).cameraButton).toBeEnabled();
  expect(await page.context().cookies()).toEqual([]);
  expect(foreign).toEqual([]);
});

test('a prompt is shown as plain text, and several lines as steps to tick, one at a time', async ({ page, vidence }) => {
  const created = await vidence.createRequest('<b>Walk</b> around the car.\n\nأظهر الخدش.');
  const witness = new Witness(page);
  await witness.open(created.submission_url);
  await expect(page.getByText('<b>Walk</b> around the car.')).toBeVisible();
  const walk = page.getByRole('checkbox', { name: '<b>Walk</b> around the car.' });
  const scratch = page.getByRole('checkbox', { name: 'أظهر الخدش.' });
  const line = page.getByText('أظهر الخدش.');
  expect(await line.evaluate((it) => getComputedStyle(it).direction)).toBe('rtl');
  // Boxes before the recording would look like consent.
  await expect(page.getByRole('checkbox')).toHaveCount(0);
  await witness.turnOnCamera();
  await expect(page.getByText('1 of 2')).toBeInViewport();
  await expect(line).toBeHidden();
  await witness.recordFor(1);
  await walk.check({ force: true });
  await expect(page.getByText('2 of 2')).toBeInViewport();
  await expect(line).toBeInViewport();
  await expect(walk).toBeHidden();
  // The sheet has all of them, ticked as before.
  await witness.promptButton.click();
  await expect(walk).toBeChecked();
  await expect(scratch).not.toBeChecked();
  await page.getByRole('button', { name: 'Close' }).click();
  await witness.stopRecording();
  await expect(page.getByText('Did you show this?')).toBeInViewport();
  await expect(line).toBeInViewport();
  await scratch.check({ force: true });
  await expect(page.getByText('Did you show this?')).toBeHidden();
});

test('in an in-app browser the page says how to leave it', async ({ browser, vidence }) => {
  const userAgent =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Instagram 400.0.0';
  const context = await browser.newContext({ userAgent });
  const page = await context.newPage();
  const created = await vidence.createRequest();
  await page.goto(created.submission_url);
  await page.locator('summary', { hasText: 'inside another app' }).click();
  await expect(page.getByText('Open in Safari').filter({ visible: true }).first()).toBeVisible();
  await context.close();
});
