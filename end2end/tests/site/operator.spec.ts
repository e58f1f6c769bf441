// The legal texts: built in, or the operator's own, in which nothing runs.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expectFits } from '../../support/page/screens.ts';
import { expect, test } from '../../support/server/vidence.ts';

const TERMS = join(mkdtempSync(join(tmpdir(), 'terms-')), 'terms.md');
writeFileSync(
  TERMS,
  `# Our terms

Be *kind*. <script>alert(1)</script> [This](javascript:alert(1)) is no link,
[this](https://example.org/rules) is one.
`,
);

test.describe('without texts of the operator', () => {
  test('terms and privacy are built in, and fit every screen', async ({ page, vidence }) => {
    await page.goto(vidence.url('/'));
    await page.getByRole('link', { name: 'Terms' }).click();
    await expect(page.getByRole('heading', { name: 'Terms', exact: true })).toBeVisible();
    await expectFits(page, 'terms');
    await page.getByRole('link', { name: 'Privacy' }).click();
    await expect(page.getByRole('heading', { name: 'Privacy', exact: true })).toBeVisible();
    await expectFits(page, 'privacy');
    expect((await fetch(vidence.url('/.well-known/security.txt'))).status).toBe(404);
  });
});

test.describe('with texts of the operator', () => {
  test.use({
    flags: ['--operator', 'Example Ltd', '--terms', TERMS, '--privacy', 'https://example.org/privacy'],
  });

  test('the operator’s terms are shown, and nothing in them runs', async ({ page, vidence }) => {
    await page.goto(vidence.url('/terms'));
    await expect(page.getByRole('heading', { name: 'Our terms' })).toBeVisible();
    await expect(page.getByText('<script>alert(1)</script>')).toBeVisible();
    const main = page.getByRole('main');
    await expect(main.getByRole('link')).toHaveCount(1);
    await expect(main.getByRole('link')).toHaveAttribute('href', 'https://example.org/rules');
    await expectFits(page, 'operator-terms');
    const privacy = await fetch(vidence.url('/privacy'), { redirect: 'manual' });
    expect(privacy.headers.get('location')).toBe('https://example.org/privacy');
  });
});
