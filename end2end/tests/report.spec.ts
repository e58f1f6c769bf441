import { fits } from './screens.ts';
import { expect, test } from './vidence.ts';
import { Witness } from './witness.ts';

test.use({ flags: ['--contact', 'mailto:abuse@example.org'] });

test('a person reports a request from the page that records, and goes on there', async ({ page, vidence }) => {
  const [created, witness] = await Witness.invited(page, vidence);
  await witness.recordFor(1);
  const opened = page.waitForEvent('popup');
  await page.getByRole('link', { name: 'Report this request' }).click();
  const form = await opened;
  await expect(form.getByRole('heading', { name: 'Report this request' })).toBeVisible();
  await expect(form.getByRole('link', { name: 'abuse@example.org' })).toBeVisible();
  await fits(form, 'report');

  // Nothing is sent without a reason.
  const sent: string[] = [];
  form.on('request', (request) => {
    if (request.method() === 'POST') sent.push(request.url());
  });
  await form.getByRole('button', { name: 'Send the report' }).click();
  await expect(form.getByRole('radio').first()).toBeFocused();
  expect(sent).toEqual([]);
  await form.getByLabel('It’s a scam, or someone is pretending to be someone else').check();
  await form.getByLabel(/^Anything else we should know/).fill('They say they are my bank.\nThey are not.');
  await form.getByRole('button', { name: 'Send the report' }).click();
  await expect(form.getByRole('heading', { name: 'Thank you for your report' })).toBeVisible();
  await fits(form, 'reported');
  await form.close();

  expect(sent).toHaveLength(1);
  expect(JSON.parse(vidence.does('reports', '--json'))).toMatchObject([
    {
      reason: 'fraud',
      text: 'They say they are my bank.\nThey are not.',
      request: created.id,
      request_status: 'awaiting_submission',
    },
  ]);
  await witness.is('recording');
  await witness.stops();
  await witness.sends();
  await expect(page.getByRole('link', { name: 'Report this request' })).toBeVisible();
});

for (const [language, name] of [
  ['de', 'Meldung senden'],
  ['ar', 'إرسال البلاغ'],
  ['hi', 'शिकायत भेजें'],
  ['ja', '報告を送信'],
]) {
  test(`the form fits in ${language}`, async ({ page, vidence }) => {
    const created = await vidence.create();
    await page.goto(vidence.url(`/r/${created.id}/report?lang=${language}`));
    await expect(page.getByRole('button', { name })).toBeVisible();
    await fits(page, `report-${language}`);
  });
}

test('who runs no script reports as well', async ({ browser, vidence }) => {
  const created = await vidence.create();
  const page = await browser.newPage({ javaScriptEnabled: false });
  await page.goto(created.submission_url);
  const link = page.getByRole('link', { name: 'Report this request' });
  await page.goto(vidence.url((await link.getAttribute('href'))!));
  await page.getByLabel('Something else').check();
  await page.getByRole('button', { name: 'Send the report' }).click();
  await expect(page.getByRole('heading', { name: 'Thank you for your report' })).toBeVisible();
  await page.close();
  expect(JSON.parse(vidence.does('reports', '--json'))).toHaveLength(1);
});
