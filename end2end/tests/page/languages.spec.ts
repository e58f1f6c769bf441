// The page is in the browser's language or in a chosen one, and fits every screen in each.
import { expectFits } from '../../support/page/screens.ts';
import { requireEnv } from '../../support/required_env.ts';
import { expect, test } from '../../support/server/vidence.ts';
import { Witness } from '../../support/page/witness.ts';

const LANGUAGES = [
  ...['en', 'es', 'fr', 'de', 'pt', 'it', 'nl', 'pl', 'uk'],
  ...['tr', 'ar', 'hi', 'id', 'vi', 'zh', 'zh-Hant', 'ja', 'ko'],
];

/** Languages of which a machine may have no letters: their layout would be that of boxes. */
const RARE_LETTERS = ['hi', 'ja', 'ko', 'zh', 'zh-Hant'];

test('the page is in the language that the browser asks for', async ({ browser, request, vidence }) => {
  const created = await vidence.createRequest();
  for (const [locale, lang] of [
    ['pt-BR', 'pt-BR'],
    ['ar', 'ar'],
    ['zh-HK', 'zh-Hant-HK'],
  ]) {
    const context = await browser.newContext({ locale });
    const page = await context.newPage();
    await page.goto(created.submission_url);
    await expect(page.locator('html')).toHaveAttribute('lang', lang!);
    await expect(page.locator('html')).toHaveAttribute('dir', lang === 'ar' ? 'rtl' : 'ltr');
    await context.close();
  }
  // The rest without a browser: the page is rendered by the server, and the scripts change no language.
  const headings = new Set<string>();
  for (const [locale, lang] of [
    ...LANGUAGES.map((it) => [it, it === 'zh' ? 'zh-Hans' : it]),
    ['de-AT', 'de-AT'],
    ['pt-BR', 'pt-BR'],
    ['uk-UA', 'uk-UA'],
    ['id-ID', 'id-ID'],
    ['ko-KR', 'ko-KR'],
    ['zh-CN', 'zh-Hans-CN'],
    ['zh-SG', 'zh-Hans-SG'],
    ['zh-TW', 'zh-Hant-TW'],
    ['sw-KE', 'en'],
  ]) {
    const answer = await request.get(created.submission_url, { headers: { 'Accept-Language': locale! } });
    expect(answer.headers()['vary']).toMatch(/accept-language/i);
    const html = await answer.text();
    expect(html).toContain(`<html lang="${lang}" dir="${lang === 'ar' ? 'rtl' : 'ltr'}"`);
    headings.add(/<h1[^>]*>(.*?)<\/h1>/s.exec(html)![1]!);
  }
  expect(headings.size).toBe(LANGUAGES.length);
});

test('times are written as in the person’s country', async ({ browser, vidence }) => {
  const created = await vidence.createRequest();
  const written = new Set<string>();
  for (const locale of ['en-US', 'en-GB']) {
    const context = await browser.newContext({ locale, timezoneId: 'UTC' });
    const page = await context.newPage();
    await new Witness(page).open(created.submission_url);
    const words = { weekday: 'long', day: 'numeric', month: 'long', hour: 'numeric', minute: '2-digit' } as const;
    const until = new Date(created.expires_at).toLocaleString(locale, { ...words, timeZone: 'UTC' });
    await expect(page.locator('[data-slot=until]').first()).toHaveText(until);
    written.add(until);
    await context.close();
  }
  // With and without an afternoon.
  expect(written.size).toBe(2);
});

test('another language can be chosen, with and without JavaScript', async ({ page, browser, vidence }) => {
  const created = await vidence.createRequest();
  for (const plain of [await browser.newPage({ javaScriptEnabled: false }), page]) {
    await plain.goto(created.submission_url);
    await plain.locator('details.languages summary').click();
    await plain.getByRole('link', { name: '日本語' }).click();
    await expect(plain.locator('html')).toHaveAttribute('lang', 'ja');
    expect(plain.url()).toBe(`${created.submission_url}?lang=ja`);
    await expect(plain.getByRole('heading', { name: '動画の撮影をお願いされています' })).toBeVisible();
  }
  const witness = new Witness(page);
  await witness.action('open-camera').click();
  await witness.waitForState('preview');
});

for (const lang of ['ar', 'de', 'hi', 'ja']) {
  test(`every step fits every screen in ${lang}`, async ({ page, vidence }) => {
    if (RARE_LETTERS.includes(lang)) requireEnv('VIDENCE_FONTS');
    // It checks five states on all screens.
    test.setTimeout(180_000);
    const created = await vidence.createRequest();
    const witness = new Witness(page);
    await witness.open(`${created.submission_url}?lang=${lang}`);
    await expect(witness.action('open-camera')).toBeEnabled();
    await expectFits(page, `idle-${lang}`);
    await witness.action('open-camera').click();
    await witness.waitForState('preview');
    await expectFits(page, `preview-${lang}`);
    await witness.action('record').click();
    await witness.waitForState('recording');
    await witness.waitForSeconds(1);
    // Numbers are isolated from right-to-left text around them.
    const figure = witness.figure('recorded');
    await expect(figure).toHaveText(/^\d:\d\d$/);
    expect(await figure.evaluate((it) => getComputedStyle(it).unicodeBidi)).toBe('isolate');
    await expectFits(page, `recording-${lang}`);
    await witness.action('stop').click();
    await witness.waitForState('review');
    // Sizes are written as in the language, with the digits of the timers.
    const size = { ar: /^\P{L}*\d\.\d\P{L}*\p{Script=Arabic}/u, de: /^\d+,\d\sMB$/ }[lang];
    if (size) await expect(witness.figure('size')).toHaveText(size);
    await expectFits(page, `review-${lang}`);
    await witness.action('submit').click();
    await witness.waitForState('submitted');
    await expectFits(page, `sent-${lang}`);
    expect((await vidence.fetchStatus(created)).status).toBe('submitted');
  });
}

test('the first step fits every screen in the other languages', async ({ page, vidence }) => {
  requireEnv('VIDENCE_FONTS');
  test.setTimeout(240_000);
  const created = await vidence.createRequest();
  for (const lang of LANGUAGES.filter((it) => !['ar', 'de', 'hi', 'ja', 'en'].includes(it))) {
    await page.goto(`${created.submission_url}?lang=${lang}`);
    await expect(new Witness(page).action('open-camera')).toBeEnabled();
    await expectFits(page, `idle-${lang}`);
  }
});

test('who asks, what to do, when all is deleted and the button are in sight on the smallest phone, in every language', async ({ page, vidence }) => {
  requireEnv('VIDENCE_FONTS');
  const created = await vidence.createRequest('Walk around the car.\nShow the dent from close up.\nThen the number plate.');
  await page.setViewportSize({ width: 320, height: 568 });
  for (const lang of LANGUAGES) {
    await page.goto(`${created.submission_url}?lang=${lang}`);
    const camera = new Witness(page).action('open-camera');
    await expect(camera).toBeEnabled();
    // The button is stuck to the bottom edge, and covers none of them.
    const [heading, who, what] = [page.getByRole('heading', { level: 1 }), page.locator('.prompt__audience'), page.locator('.prompt__text')];
    for (const seen of [heading, who, what, camera]) {
      await expect(seen, lang).toBeInViewport({ ratio: 1 });
    }
    const deletion = page.locator('.facts li').filter({ has: page.locator('[data-slot=until]') });
    const bottom = await deletion.evaluate((it) => it.getBoundingClientRect().bottom);
    expect(bottom, lang).toBeLessThanOrEqual(await camera.evaluate((it) => it.getBoundingClientRect().top));
    expect(await page.evaluate(() => scrollY), lang).toBe(0);
    // Nothing lies over it. Only now: a trial scrolls to a button that is out of sight.
    await camera.click({ trial: true });
    // Its text isn't cut off either.
    expect(await camera.evaluate((it) => it.scrollWidth <= it.clientWidth && it.scrollHeight <= it.clientHeight), lang).toBe(true);
  }
});

test('a closed link is in the language that the browser asks for', async ({ browser, vidence }) => {
  const context = await browser.newContext({ locale: 'fr-FR' });
  const page = await context.newPage();
  await page.goto(vidence.url('/r/0000000000000000000000'));
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
  await expect(page.getByRole('heading', { name: 'Ce lien ne mène à rien' })).toBeVisible();
  await expectFits(page, 'unknown-fr');
  await context.close();
});
