// The pages of the documentation: self-contained, with commands to copy.
import { expect, test } from '../../support/server/vidence.ts';
import { expectFits } from '../../support/page/screens.ts';

test('the API reference loads nothing from another origin', async ({ page, vidence }) => {
  const foreign: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(vidence.url('/'))) foreign.push(request.url());
  });
  await page.goto(vidence.url('/docs'));
  await page.getByRole('link', { name: 'Stream a video' }).click();
  await expect(page.getByRole('heading', { name: 'Stream a video' })).toBeInViewport();
  const satisfied = page
    .locator('section', { hasText: 'Stream a video' })
    .last()
    .locator('details', { hasText: '206' });
  await satisfied.locator('summary').click();
  await expect(satisfied.getByText('Content-Range')).toBeVisible();
  await expectFits(page, 'docs-open');
  await page.goto(vidence.url('/docs'));
  await expectFits(page, 'docs');
  expect(foreign).toEqual([]);
});

test('the texts of a language stand beside the English ones', async ({ page, vidence }) => {
  await page.goto(vidence.url('/docs/locales/de'));
  await page.getByRole('link', { name: 'العربية' }).click();
  const row = page.getByRole('row', { name: 'camera-record' });
  await expect(row.getByRole('cell')).toHaveText(['Record', 'تسجيل']);
  await expect(row.getByRole('cell').last()).toHaveCSS('direction', 'rtl');
  await expectFits(page, 'translation');
});

test('the MCP page has commands to copy, and a session with its pictures', async ({ page, vidence }) => {
  const foreign: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(vidence.url('/'))) foreign.push(request.url());
  });
  await page.goto(vidence.url('/docs'));
  await page.getByRole('link', { name: 'MCP' }).click();
  await page.getByRole('link', { name: 'Claude Code' }).click();
  await expect(page.getByRole('heading', { name: 'Claude Code' })).toBeInViewport();
  // One click selects exactly the command.
  const command = `claude mcp add --transport http --scope user vidence ${vidence.url('/mcp')}`;
  await page.getByText(command).click();
  expect(await page.evaluate(() => getSelection()?.toString().trim())).toBe(command);
  await page.getByRole('link', { name: 'A session' }).click();
  const pictures = page.getByRole('img');
  expect(await pictures.count()).toBeGreaterThan(0);
  for (const picture of await pictures.all()) {
    await picture.scrollIntoViewIfNeeded();
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  }
  await expectFits(page, 'agents-session');
  await page.goto(vidence.url('/docs/mcp'));
  await expectFits(page, 'agents');
  expect(foreign).toEqual([]);
});
