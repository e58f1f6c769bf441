import { type Page, expect } from '@playwright/test';

const SIZES = [
  { width: 320, height: 640 },
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
];

/** Checks that nothing lies beyond the edge, and leaves a picture of each size and scheme to look at. */
export async function fits(page: Page, state: string): Promise<void> {
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
