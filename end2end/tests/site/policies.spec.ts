// Whole journeys without a violation of the content security policy or the permissions policy.
import type { BrowserContext } from '@playwright/test';
import { launch } from 'puppeteer-core';
import { Requester } from '../../support/page/requester.ts';
import { requireEnv } from '../../support/required_env.ts';
import { baseTest, expect, test } from '../../support/server/vidence.ts';

/** Collects the policy violations of all pages in this context. */
async function collectViolations(context: BrowserContext): Promise<string[]> {
  const violations: string[] = [];
  await context.exposeBinding('violated', (_, what: string) => violations.push(what));
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      (window as any).violated(`${location.pathname}: ${event.effectiveDirective} ${event.blockedURI}`);
    });
  });
  // Violations outside of a document, such as in a worker, are only logged.
  context.on('console', (message) => {
    if (/content.security.policy|permissions.policy/i.test(message.text())) violations.push(message.text());
  });
  return violations;
}

test('the whole journey violates no content security policy', async ({ page, context, vidence }) => {
  const violations = await collectViolations(context);
  const requester = new Requester(page);
  const created = await requester.createRequest(vidence.url('/'));
  await requester.recordAsWitness(created, 2);
  await requester.waitForDuration();
  await requester.seek(1);
  const pictures = page.getByRole('button', { name: /^Go to .* in the video$/ });
  await expect(pictures.first()).toBeVisible({ timeout: 40_000 });
  await pictures.first().click();
  await requester.deleteRequest();

  for (const path of ['/docs', '/docs/mcp', '/terms', '/privacy', '/nothing', created.submission_url]) {
    await page.goto(new URL(path, vidence.url('/')).href);
    await expect(page.getByRole('heading').first()).toBeVisible();
  }
  const other = await vidence.createRequest();
  await page.goto(vidence.url(`/r/${other.id}/report`));
  await page.getByLabel('Something else').check();
  await page.getByRole('button', { name: 'Send the report' }).click();
  await expect(page.getByRole('heading', { name: 'Thank you for your report' })).toBeVisible();
  expect(violations).toEqual([]);
});

test('a violation of the content security policy is detected', async ({ page, context, vidence, consoleErrors }) => {
  const violations = await collectViolations(context);
  await page.goto(vidence.url('/docs'));
  await page.evaluate(() => {
    document.body.append(Object.assign(new Image(), { src: 'https://example.org/a.png' }));
  });
  await expect.poll(() => violations.length).toBeGreaterThan(0);
  consoleErrors.length = 0;
});

baseTest('the pages violate no content security policy in Firefox', async ({ vidence }) => {
  const firefox = await launch({
    browser: 'firefox',
    executablePath: requireEnv('VIDENCE_FIREFOX'),
    extraPrefsFirefox: { 'media.navigator.streams.fake': true, 'media.navigator.permission.disabled': true },
  });
  const page = await firefox.newPage();
  await page.evaluateOnNewDocument(() => {
    (window as any).violations = [];
    document.addEventListener('securitypolicyviolation', (event) => {
      (window as any).violations.push(`${event.effectiveDirective} ${event.blockedURI}`);
    });
  });
  const created = await vidence.createRequest();
  const paths = ['/', '/docs', '/docs/mcp', '/terms', '/privacy', '/nothing'];
  for (const path of [...paths, `/r/${created.id}`, `/r/${created.id}/report`]) {
    await page.goto(vidence.url(path), { waitUntil: 'networkidle0' });
    expect(await page.evaluate(() => (window as any).violations), path).toEqual([]);
  }
  // A violation is detected.
  await page.evaluate(() => {
    document.body.append(Object.assign(new Image(), { src: 'https://example.org/a.png' }));
  });
  const noticed = () => page.evaluate(() => (window as any).violations as string[]);
  await expect.poll(noticed).toEqual([expect.stringContaining('img-src')]);
  await firefox.close();
});
