// A person with the link can report its request, also during a recording and without JavaScript.
import { expectFits } from '../../support/page/screens.ts';
import { expect, test } from '../../support/server/vidence.ts';
import { Witness } from '../../support/page/witness.ts';

test.use({ flags: ['--contact', 'mailto:abuse@example.org'] });

test('a request can be reported during a recording, which continues', async ({ page, vidence }) => {
  const [created, witness] = await Witness.openAtCamera(page, vidence);
  await witness.recordFor(1);
  const opened = page.waitForEvent('popup');
  await witness.promptButton.click();
  await page.getByRole('link', { name: 'Report this request' }).click();
  const form = await opened;
  await expect(form.getByRole('heading', { name: 'Report this request' })).toBeVisible();
  await expect(form.getByRole('link', { name: 'abuse@example.org' })).toBeVisible();
  await expectFits(form, 'report');

  // The form is not sent without a reason.
  const sent: string[] = [];
  form.on('request', (request) => {
    if (request.method() === 'POST') sent.push(request.url());
  });
  await form.getByRole('button', { name: 'Send the report' }).click();
  await expect(form.getByRole('radio').first()).toBeFocused();
  expect(sent).toEqual([]);
  await form.getByLabel('It’s a scam, or someone is pretending to be someone else').check();
  await form.getByLabel(/^What did it ask you to film/).fill('They say they are my bank.\nThey are not.');
  await form.getByRole('button', { name: 'Send the report' }).click();
  await expect(form.getByRole('heading', { name: 'Thank you for your report' })).toBeVisible();
  await expectFits(form, 'reported');
  await form.close();

  expect(sent).toHaveLength(1);
  expect(JSON.parse(vidence.runCommand('reports', '--json'))).toMatchObject([
    {
      reason: 'fraud',
      text: 'They say they are my bank.\nThey are not.',
      request: created.id,
      request_status: 'awaiting_submission',
    },
  ]);
  await witness.waitForState('recording');
  await page.getByRole('button', { name: 'Close' }).click();
  await witness.stopRecording();
  await witness.submit();
  await expect(page.getByRole('link', { name: 'Report this request' })).toBeVisible();
});

for (const [language, name] of [
  ['de', 'Meldung senden'],
  ['ar', 'إرسال البلاغ'],
  ['hi', 'शिकायत भेजें'],
  ['ja', '報告を送信'],
]) {
  test(`the report form fits every screen in ${language}`, async ({ page, vidence }) => {
    const created = await vidence.createRequest();
    await page.goto(vidence.url(`/r/${created.id}/report?lang=${language}`));
    await expect(page.getByRole('button', { name })).toBeVisible();
    await expectFits(page, `report-${language}`);
  });
}

test('a request can be reported without JavaScript', async ({ browser, vidence }) => {
  const created = await vidence.createRequest();
  const page = await browser.newPage({ javaScriptEnabled: false });
  await page.goto(created.submission_url);
  const link = page.getByRole('link', { name: 'Report this request' });
  await page.goto(vidence.url((await link.getAttribute('href'))!));
  await page.getByLabel('Something else').check();
  await page.getByRole('button', { name: 'Send the report' }).click();
  await expect(page.getByRole('heading', { name: 'Thank you for your report' })).toBeVisible();
  await page.close();
  expect(JSON.parse(vidence.runCommand('reports', '--json'))).toHaveLength(1);
});
