import { type Page, expect, test } from './vidence.ts';
import { Witness } from './witness.ts';

const SIZES = [
  { width: 320, height: 640 },
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
];
const PROMPT = 'Please walk once around the car and show every side.\n\nThen hold still for a moment on the dent in the left rear door.';

/** Checks that nothing lies beyond the edge, and leaves a picture of each size and scheme to look at. */
async function fits(page: Page, state: string): Promise<void> {
  for (const size of SIZES) {
    await page.setViewportSize(size);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(beyond, `${state} at ${size.width}`).toBeLessThanOrEqual(0);
      await page.screenshot({ path: `test-results/screens/${state}-${size.width}-${colorScheme}.png` });
    }
  }
}

test('every state of the recording page fits every screen', async ({ page, vidence }) => {
  const created = await vidence.create(PROMPT);
  const witness = new Witness(page);
  await witness.open(created.submission_url);
  await expect(page.getByRole('button', { name: 'Turn on the camera' })).toBeEnabled();
  await fits(page, 'idle');
  await witness.turnOnCamera();
  await fits(page, 'preview');
  await witness.recordFor(1);
  await fits(page, 'recording');
  await witness.stop.click();
  await expect(page.getByText('All of it is uploaded')).toBeVisible();
  await fits(page, 'review');
  await witness.send.click();
  await expect(page.getByRole('heading', { name: 'Video received' })).toBeVisible();
  await fits(page, 'sent');
  await page.reload();
  await fits(page, 'used');
});

test('the home page fits every screen', async ({ page, vidence }) => {
  await page.goto(vidence.url('/'));
  await expect(page.getByText(`curl -s ${vidence.url('/v1/requests')} \\`)).toBeVisible();
  await fits(page, 'home');
});
