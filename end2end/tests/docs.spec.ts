import { expect, test } from './vidence.ts';
import { fits } from './screens.ts';

test('the interface is described on a page of our own', async ({ page, vidence }) => {
  const foreign: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(vidence.url('/'))) foreign.push(request.url());
  });
  await page.goto(vidence.url('/docs'));
  await page.getByRole('link', { name: 'Stream a video' }).click();
  await expect(page.getByRole('heading', { name: 'Stream a video' })).toBeInViewport();
  const satisfied = page.locator('section', { hasText: 'Stream a video' }).last().locator('details', { hasText: '206' });
  await satisfied.locator('summary').click();
  await expect(satisfied.getByText('Content-Range')).toBeVisible();
  await fits(page, 'docs-open');
  await page.goto(vidence.url('/docs'));
  await fits(page, 'docs');
  expect(foreign).toEqual([]);
});
