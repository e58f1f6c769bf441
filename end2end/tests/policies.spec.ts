// Everything that people do, without one violation of what the server allows its pages.
import type { BrowserContext } from '@playwright/test';
import { launch } from 'puppeteer-core';
import { Asker } from './asker.ts';
import { needs } from './needs.ts';
import { bare, expect, test } from './vidence.ts';

/** Collects what pages of this context try to do and may not. */
async function watch(context: BrowserContext): Promise<string[]> {
  const violations: string[] = [];
  await context.exposeBinding('violated', (_, what: string) => violations.push(what));
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      (window as any).violated(`${location.pathname}: ${event.effectiveDirective} ${event.blockedURI}`);
    });
  });
  // What is reported outside of a document, as by a worker; warnings about policies are none of them.
  context.on('console', (message) => {
    if (/content.security.policy|permissions.policy/i.test(message.text())) violations.push(message.text());
  });
  return violations;
}

test('the whole story breaks no policy', async ({ page, context, vidence }) => {
  const violations = await watch(context);
  const asker = new Asker(page);
  const created = await asker.creates(vidence.url('/'));
  await asker.isAnswered(created, 2);
  await asker.plays();
  await asker.seeks(1);
  const pictures = page.getByRole('button', { name: /^Go to .* in the video$/ });
  await expect(pictures.first()).toBeVisible({ timeout: 40_000 });
  await pictures.first().click();
  await asker.deletes();

  for (const path of ['/docs', '/docs/mcp', '/terms', '/privacy', '/nothing', created.submission_url]) {
    await page.goto(new URL(path, vidence.url('/')).href);
    await expect(page.getByRole('heading').first()).toBeVisible();
  }
  const other = await vidence.create();
  await page.goto(vidence.url(`/r/${other.id}/report`));
  await page.getByLabel('Something else').check();
  await page.getByRole('button', { name: 'Send the report' }).click();
  await expect(page.getByRole('heading', { name: 'Thank you for your report' })).toBeVisible();
  expect(violations).toEqual([]);
});

test('a violation would be noticed', async ({ page, context, vidence, complaints }) => {
  const violations = await watch(context);
  await page.goto(vidence.url('/docs'));
  await page.evaluate(() => {
    document.body.append(Object.assign(new Image(), { src: 'https://example.org/a.png' }));
  });
  await expect.poll(() => violations.length).toBeGreaterThan(0);
  complaints.length = 0;
});

bare('the pages break no policy in Firefox either', async ({ vidence }) => {
  const firefox = await launch({
    browser: 'firefox',
    executablePath: needs('VIDENCE_FIREFOX'),
    extraPrefsFirefox: { 'media.navigator.streams.fake': true, 'media.navigator.permission.disabled': true },
  });
  const page = await firefox.newPage();
  await page.evaluateOnNewDocument(() => {
    (window as any).violations = [];
    document.addEventListener('securitypolicyviolation', (event) => {
      (window as any).violations.push(`${event.effectiveDirective} ${event.blockedURI}`);
    });
  });
  const created = await vidence.create();
  const paths = ['/', '/docs', '/docs/mcp', '/terms', '/privacy', '/nothing'];
  for (const path of [...paths, `/r/${created.id}`, `/r/${created.id}/report`]) {
    await page.goto(vidence.url(path), { waitUntil: 'networkidle0' });
    expect(await page.evaluate(() => (window as any).violations), path).toEqual([]);
  }
  // One would be noticed.
  await page.evaluate(() => {
    document.body.append(Object.assign(new Image(), { src: 'https://example.org/a.png' }));
  });
  const noticed = () => page.evaluate(() => (window as any).violations as string[]);
  await expect.poll(noticed).toEqual([expect.stringContaining('img-src')]);
  await firefox.close();
});
