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

test('the MCP page has a command for each agent, and a session with its pictures', async ({ page, context, vidence }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const foreign: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(vidence.url('/'))) foreign.push(request.url());
  });
  await page.goto(vidence.url('/docs'));
  await page.getByRole('link', { name: 'MCP' }).click();
  await page.getByRole('radio', { name: 'Codex' }).focus();
  await page.keyboard.press('Space');
  const codex = page.getByRole('region', { name: 'Codex' });
  await codex.getByRole('button', { name: 'Copy Codex' }).first().click();
  await expect(codex.getByRole('button', { name: 'Copied Codex' })).toBeVisible();
  await expect(page.getByRole('status')).toHaveText('Copied');
  const command = `codex mcp add vidence --url ${vidence.url('/mcp')}`;
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(command);
  await page.getByRole('link', { name: 'A session' }).click();
  const pictures = page.getByRole('img');
  expect(await pictures.count()).toBeGreaterThan(0);
  for (const picture of await pictures.all()) {
    await picture.scrollIntoViewIfNeeded();
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  }
  await expectFits(page, 'agents-session');
  await page.locator('details').evaluateAll((all) => all.forEach((it) => it.setAttribute('open', '')));
  await expectFits(page, 'agents-open');
  await page.goto(vidence.url('/docs/mcp'));
  await expectFits(page, 'agents');
  expect(foreign).toEqual([]);
});

test('every agent of the MCP page has an address, and is shown alone', async ({ page, vidence }) => {
  await page.goto(vidence.url('/docs/mcp'));
  const agents = await page.locator('.choice__panel').evaluateAll((all) => all.map((it) => it.id));
  expect(agents.length).toBeGreaterThan(5);
  for (const agent of agents) {
    await page.goto(vidence.url(`/docs/mcp#${agent}`));
    await expect(page.locator('.choice__panel:visible')).toHaveCount(1);
    await expect(page.locator(`#${agent}`)).toBeInViewport();
    await expect(page.locator(`#${agent} .code-block`).first()).toBeVisible();
  }
});

test('the contents of a document stay beside its text, which has at most 720 pixels', async ({ page, vidence }) => {
  for (const width of [1000, 1280, 3840]) {
    await page.setViewportSize({ width, height: 800 });
    for (const path of ['/docs', '/docs/mcp', '/terms', '/privacy']) {
      await page.goto(vidence.url(path));
      const widths = (all: Element[]) => all.map((it) => it.getBoundingClientRect().width);
      const texts = await page.locator('main p:visible').evaluateAll(widths);
      const rem = await page.evaluate(() => parseFloat(getComputedStyle(document.documentElement).fontSize) / 16);
      expect(Math.max(...texts)).toBeLessThanOrEqual(720 * rem);
      if (!path.startsWith('/docs')) continue;
      const contents = page.getByRole('navigation', { name: 'On this page' });
      await page.locator('.operation').last().scrollIntoViewIfNeeded();
      await expect(contents).toBeInViewport({ ratio: 0.9 });
    }
  }
});

test.describe('without the clipboard', () => {
  test('what can’t be copied is selected, and the button says so', async ({ page, vidence }) => {
    await page.addInitScript(() => {
      Object.defineProperty(Navigator.prototype, 'clipboard', { value: undefined });
      document.execCommand = () => false;
    });
    await page.goto(vidence.url('/docs'));
    await page.getByRole('button', { name: 'Copy Walk-through' }).first().click();
    await expect(page.getByRole('button', { name: 'Select it, please Walk-through' })).toBeVisible();
    const selected = await page.evaluate(() => getSelection()?.toString());
    expect(selected).toContain(`curl -s ${vidence.url('/v1/requests')}`);
  });
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('agents can be chosen, and a click selects a command', async ({ page, vidence }) => {
    await page.goto(vidence.url('/docs/mcp'));
    await expect(page.getByRole('button')).toHaveCount(0);
    await expect(page.locator('.choice__panel:visible')).toHaveCount(1);
    await page.getByText('Gemini CLI', { exact: true }).first().click();
    const command = page.getByText(`gemini mcp add --transport http --scope user vidence ${vidence.url('/mcp')}`);
    await expect(command).toBeVisible();
    await expect(command).toHaveCSS('user-select', 'all');
    await expect(page.locator('.choice__panel:visible')).toHaveCount(1);
  });
});
