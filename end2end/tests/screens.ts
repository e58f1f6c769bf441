import { AxeBuilder } from '@axe-core/playwright';
import { type Page, expect } from '@playwright/test';

/** From the smallest phone to a wall. */
const SIZES = [
  { width: 320, height: 640, picture: true, judged: false },
  { width: 390, height: 844, picture: true, judged: true },
  { width: 740, height: 360, picture: true, judged: false },
  { width: 1280, height: 800, picture: true, judged: true },
  { width: 3840, height: 2160, picture: false, judged: false },
];

/** WCAG 2.2, level AA, with all that went before. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/**
 * Checks that nothing lies beyond the edge and that everybody can use it, as far as a machine can tell, and
 * leaves a picture of each size and scheme to look at.
 */
export async function fits(page: Page, state: string): Promise<void> {
  const before = page.viewportSize();
  for (const { picture, judged, ...size } of SIZES) {
    await page.setViewportSize(size);
    for (const colorScheme of ['light', 'dark'] as const) {
      // A colour on its way to another is neither.
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      const shown = `${state}-${size.width}-${colorScheme}`;
      const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(beyond, `${shown}: beyond the edge`).toBeLessThanOrEqual(0);
      if (picture) await page.screenshot({ path: `test-results/screens/${shown}.png` });
      if (judged) expect(await violations(page), shown).toEqual([]);
    }
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
  if (before) await page.setViewportSize(before);
}

async function violations(page: Page): Promise<string[]> {
  // The other mode opens a page of its own beside this one, which a recording would notice.
  const found = await new AxeBuilder({ page }).withTags(RULES).setLegacyMode().analyze();
  // No rule is broken by an empty page, or by rules that don't exist.
  expect(found.passes.length, 'rules that are kept').toBeGreaterThan(0);
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`);
}
