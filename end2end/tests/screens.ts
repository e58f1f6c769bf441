import { AxeBuilder } from '@axe-core/playwright';
import { type Page, expect } from '@playwright/test';

/** From the smallest phone to a wall. */
const SIZES = [
  { width: 320, height: 640 },
  { width: 390, height: 844, judged: true },
  { width: 740, height: 360 },
  { width: 1280, height: 800, judged: true },
  { width: 3840, height: 2160 },
];

/** WCAG 2.2, level AA, with all that went before. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** Of these, what depends on colours. */
const RULES_OF_COLOUR = ['color-contrast', 'link-in-text-block'];

/** One that is read from each side: what axe looks at, other texts don't change. */
const JUDGED_LANGUAGES = ['en', 'ar'];

/** Where to leave a picture of each state in each size and scheme, to look at. */
const PICTURES = process.env.VIDENCE_SCREENSHOTS;

/** Checks that nothing lies beyond the edge, and that everybody can use it, as far as a machine can tell. */
export async function expectFits(page: Page, state: string): Promise<void> {
  const before = page.viewportSize();
  const lang = await page.evaluate(() => document.documentElement.lang);
  for (const { judged, ...size } of SIZES) {
    await page.setViewportSize(size);
    const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(beyond, `${state}-${size.width}: beyond the edge`).toBeLessThanOrEqual(0);
    for (const colorScheme of ['light', 'dark'] as const) {
      const axe = judged && JUDGED_LANGUAGES.includes(lang);
      if (!axe && !PICTURES) continue;
      const shown = `${state}-${size.width}-${colorScheme}`;
      // A colour on its way to another is neither.
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      if (PICTURES) await page.screenshot({ path: `${PICTURES}/${shown}.png` });
      if (axe) expect(await axeViolations(page, colorScheme === 'dark'), shown).toEqual([]);
    }
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
  if (before) await page.setViewportSize(before);
}

async function axeViolations(page: Page, ofColour: boolean): Promise<string[]> {
  const axe = new AxeBuilder({ page });
  // The other mode opens a page of its own beside this one, which a recording would notice.
  axe.setLegacyMode();
  const found = await (ofColour ? axe.withRules(RULES_OF_COLOUR) : axe.withTags(RULES)).analyze();
  // No rule is broken by an empty page, or by rules that don't exist.
  expect(found.passes.length, 'rules that are kept').toBeGreaterThan(0);
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`);
}
