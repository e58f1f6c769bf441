// What is checked on each screen: accessibility by axe, the layout, and a picture on demand.
import { AxeBuilder } from '@axe-core/playwright';
import { type Page, expect } from '@playwright/test';
import { keepPage } from './kept_pages.ts';

/** Viewports from the smallest phone to a wall display. axe runs on those that are `judged`. */
export const SIZES = [
  // A laptop that is zoomed in fourfold: WCAG 2.2, success criterion 1.4.10.
  { width: 320, height: 256 },
  { width: 320, height: 568 },
  { width: 390, height: 844, judged: true },
  { width: 740, height: 360 },
  { width: 844, height: 390 },
  { width: 820, height: 1180 },
  { width: 1280, height: 800, judged: true },
  { width: 3840, height: 2160 },
];

/** The rules of WCAG 2.2, level AA, and earlier versions. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** The rules that depend on colours. */
const RULES_OF_COLOUR = ['color-contrast', 'link-in-text-block'];

/** One language for each reading direction: other texts don't change what axe checks. */
const JUDGED_LANGUAGES = ['en', 'ar'];

/** A folder for each state: a screenshot in each size and colour scheme, and the page, which another engine can lay out. */
export const PICTURES = process.env.VIDENCE_SCREENSHOTS;

/** Checks that nothing overflows sideways on any screen, and that axe finds no violation, from left to right and mirrored. */
export async function expectFits(page: Page, state: string): Promise<void> {
  const before = page.viewportSize();
  const lang = await page.evaluate(() => document.documentElement.lang);
  // Transitions would show colours in between.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  if (PICTURES) await keepPage(page, PICTURES, state);
  for (const { judged, ...size } of SIZES) {
    await page.setViewportSize(size);
    const screen = `${state}-${size.width}x${size.height}`;
    await expectLaidOut(page, screen);
    if (lang.startsWith('en')) await expectMirrored(page, screen, size.width === 390);
    for (const colorScheme of ['light', 'dark'] as const) {
      const axe = judged && JUDGED_LANGUAGES.some((it) => lang.startsWith(it));
      if (!axe && !PICTURES) continue;
      const shown = `${screen}-${colorScheme}`;
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      if (PICTURES) await page.screenshot({ path: `${PICTURES}/${shown}.png` });
      if (axe) expect(await axeViolations(page, colorScheme === 'dark'), shown).toEqual([]);
    }
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
  if (before) await page.setViewportSize(before);
}

async function expectLaidOut(page: Page, screen: string): Promise<void> {
  const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(beyond, `${screen}: beyond the edge`).toBeLessThanOrEqual(0);
  expect(await outsideOfFrame(page), `${screen}: outside of the camera's frame`).toEqual([]);
  expect(await smallTargets(page), `${screen}: too small for a thumb`).toEqual([]);
}

/** The same with the layout of Arabic. Texts stay as they are, because another language needs another page. */
async function expectMirrored(page: Page, screen: string, judged: boolean): Promise<void> {
  const turn = (dir: string) => page.evaluate((dir) => void (document.documentElement.dir = dir), dir);
  const shown = `${screen}-mirrored`;
  await turn('rtl');
  await expectLaidOut(page, shown);
  if (judged) expect(await axeViolations(page, false), shown).toEqual([]);
  await turn('ltr');
}

/** What is cut off by the camera's frame, which never scrolls. An open sheet does, so nothing is checked then. */
async function outsideOfFrame(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    if (!document.querySelector('.preview:not([hidden])') || document.querySelector(':popover-open')) return [];
    const parts = document.querySelectorAll(':is(.preview, .prompt) :is(button, label, .status, .step__text)');
    const isOutside = ({ left, top, right, bottom }: DOMRect) =>
      left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1;
    const outside = [...parts].filter((it) => it.checkVisibility() && isOutside(it.getBoundingClientRect()));
    return outside.map((it) => it.outerHTML);
  });
}

/** What is pressed on the recording page. Links within a text are as high as it. */
const CONTROLS = [
  ...['button', 'a.button', 'select', 'summary', 'label.tool', 'label.step__tick'],
  ...['label.checkbox-field', '.file-button', '.report-link'],
];

/** The controls of the recording page, and those above and below each page, with less than 44 pixels to hit; axe demands 24. */
async function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate((own) => {
    const controls = document.querySelectorAll(`.page--record :is(${own}), .masthead :is(a, summary), .footer a`);
    const isSmall = ({ width, height }: DOMRect) => Math.min(width, height) < 43.5;
    const small = [...controls].filter((it) => it.checkVisibility() && isSmall(it.getBoundingClientRect()));
    return small.map((it) => it.outerHTML);
  }, CONTROLS.join());
}

async function axeViolations(page: Page, ofColour: boolean): Promise<string[]> {
  const axe = new AxeBuilder({ page });
  // The default mode opens a page beside this one, which a recording would notice.
  axe.setLegacyMode();
  const found = await (ofColour ? axe.withRules(RULES_OF_COLOUR) : axe.withTags(RULES)).analyze();
  // An empty page, or rules that don't exist, would have no violations.
  expect(found.passes.length, 'rules that are kept').toBeGreaterThan(0);
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`);
}
