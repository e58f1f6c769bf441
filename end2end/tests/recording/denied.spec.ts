// A person who denied the camera or the screen learns how to allow it, can retry, or can send a file.
import { expectFits } from '../../support/page/screens.ts';
import { expect, test } from '../../support/server/vidence.ts';
import { Witness } from '../../support/page/witness.ts';

test('denying the camera shows how to allow it', async ({ page, vidence }) => {
  const created = await vidence.createRequest();
  const witness = new Witness(page);
  await witness.open(created.submission_url);
  await witness.cameraButton.click();
  await witness.waitForState('blocked-denied');
  await expect(page.getByRole('heading', { name: 'Your browser is blocking the camera' })).toBeVisible();
  await expect(page.getByText('Click the icon at the start of the address.')).toBeVisible();
  await expect(page.locator('.address-bar')).toBeVisible();
  await expect(witness.retryButton).toBeEnabled();
  // An iPhone with the bars of its browser.
  await page.setViewportSize({ width: 390, height: 664 });
  await expect(witness.retryButton).toBeInViewport({ ratio: 1 });
  await expect(witness.fileField).toBeEnabled();
  expect((await vidence.fetchState(created)).takes).toEqual([]);
  await expectFits(page, 'denied');
});

test('while the browser asks, one line of the request stays in sight', async ({ page, vidence }) => {
  await page.addInitScript(() => {
    MediaDevices.prototype.getUserMedia = () => new Promise(() => {});
  });
  const created = await vidence.createRequest('Show the dent in the door, then the number plate, and the whole of the car.');
  const witness = new Witness(page);
  await witness.open(created.submission_url);
  await witness.cameraButton.click();
  await witness.waitForState('requesting-access');
  await expectFits(page, 'requesting-access');
  const text = page.locator('.step__text');
  const lines = () => text.evaluate((it) => it.clientHeight / Number.parseFloat(getComputedStyle(it).lineHeight));
  expect(await lines()).toBeLessThan(1.2);
});

test('after denying to share the screen a person can retry or send a file', async ({ page, vidence }) => {
  await page.addInitScript(() => {
    const real = MediaDevices.prototype.getDisplayMedia;
    Object.assign(window, { asked: 0 });
    MediaDevices.prototype.getDisplayMedia = function (constraints) {
      (window as any).asked += 1;
      return real.call(this, constraints);
    };
  });
  const created = await vidence.createRequest();
  const witness = new Witness(page);
  await witness.open(created.submission_url);
  await witness.otherWaysButton.click();
  await witness.action('share-screen').click();
  await witness.waitForState('blocked-no-screen');
  await expect(page.getByRole('heading', { name: 'The screen wasn’t shared' })).toBeVisible();
  await expectFits(page, 'no-screen');
  await witness.retryButton.click();
  await expect.poll(() => page.evaluate(() => (window as any).asked)).toBe(2);
  await witness.waitForState('blocked-no-screen');
  await witness.fileField.setInputFiles('../crates/test-support/fixtures/whole.webm');
  await witness.waitForState('review');
  await witness.submit();
  expect((await vidence.fetchStatus(created)).status).toBe('submitted');
});
