// Every state of the recording page, and the home page, fits every screen.
import { expect, test } from '../../support/server/vidence.ts';
import { expectFits } from '../../support/page/screens.ts';
import { Witness } from '../../support/page/witness.ts';

const PROMPT =
  'Please walk once around the car and show every side.\n\nThen hold still for a moment on the dent in the left rear door.';

test('every state of the recording page fits every screen', async ({ page, vidence }) => {
  test.setTimeout(240_000);
  const created = await vidence.createRequest(PROMPT);
  const witness = new Witness(page);
  await witness.open(created.submission_url);
  await expect(page.getByRole('button', { name: 'Open camera' })).toBeEnabled();
  await expectFits(page, 'idle');
  await witness.otherWaysButton.click();
  await expectFits(page, 'other-ways');
  await page.keyboard.press('Escape');
  await witness.turnOnCamera();
  await expectFits(page, 'preview');
  await witness.promptButton.click();
  await expectFits(page, 'all-steps');
  await page.keyboard.press('Escape');
  await witness.recordFor(1);
  await expectFits(page, 'recording');
  await witness.pauseButton.click();
  await witness.waitForState('paused');
  await expectFits(page, 'paused');
  await witness.stopRecording();
  await expect(witness.notice('complete').first()).toBeVisible();
  await expectFits(page, 'review');
  await witness.submit();
  await expectFits(page, 'submitted');
});

test('the home page fits every screen', async ({ page, vidence }) => {
  await page.goto(vidence.url('/'));
  await expectFits(page, 'home');
  for (const way of ['curl', 'Python']) {
    await page.getByText(way, { exact: true }).click();
    await expect(page.getByRole('region', { name: way })).toBeVisible();
    await expectFits(page, `home-${way}`);
  }
});
