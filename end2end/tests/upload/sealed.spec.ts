// A submitted video is sealed: it has a duration and can be sought. An unplayable recording isn't submitted.
import { expectFits } from '../../support/page/screens.ts';
import { expect, test } from '../../support/server/vidence.ts';
import { Witness } from '../../support/page/witness.ts';

test('a submitted recording has a duration and can be sought', { tag: '@tls' }, async ({ page, vidence }) => {
  const [created, witness] = await Witness.openAtCamera(page, vidence);
  await witness.recordFor(4);
  await witness.stopRecording();
  await witness.submit();

  // Adds the token, which a media element can't send.
  const { video } = await vidence.fetchStatus(created);
  const ranges: string[] = [];
  await page.route(video.url, (route) => {
    const bearer = { authorization: `Bearer ${created.access_token}` };
    const headers: Record<string, string> = { ...route.request().headers(), ...bearer };
    ranges.push(headers.range ?? 'none');
    return route.continue({ headers });
  });
  await page.goto(vidence.url('/'));
  const seen = await page.evaluate(async (url) => {
    const video = document.createElement('video');
    const happens = (name: string) => new Promise((done) => video.addEventListener(name, done, { once: true }));
    const known = happens('loadedmetadata');
    video.muted = true;
    video.src = url;
    document.body.append(video);
    await known;
    const { duration } = video;
    const sought = happens('seeked');
    video.currentTime = duration / 2;
    await sought;
    return { duration, at: video.currentTime, width: video.videoWidth };
  }, video.url);
  expect(seen.duration).toBeGreaterThan(3);
  expect(seen.duration).toBeLessThan(60);
  expect(seen.at).toBeCloseTo(seen.duration / 2, 1);
  expect(seen.width).toBeGreaterThan(0);
  expect(ranges[0]).toBe('bytes=0-');
});

test('an unplayable recording is not submitted, and the page says so', async ({ page, vidence }) => {
  // Its header arrives, and then only zeros.
  let sent = 0;
  await page.route('**/takes/*', (route) => {
    const body = route.request().postDataBuffer();
    if (route.request().method() !== 'PATCH' || !body) return route.continue();
    body.fill(0, Math.max(0, 64 - sent));
    sent += body.length;
    return route.continue({ postData: body });
  });
  const [created, witness] = await Witness.openAtCamera(page, vidence);
  await witness.recordFor(1);
  await witness.stopRecording();
  await witness.submitButton.click();
  await witness.waitForState('ended-unplayable');
  await expect(page.getByRole('heading', { name: 'This video can’t be played' })).toBeVisible();
  await expectFits(page, 'ended-unplayable');
  expect((await vidence.fetchStatus(created)).status).toBe('awaiting_submission');
  await page.unrouteAll();
  // The camera can be used again without a reload.
  await witness.action('discard').click();
  await witness.waitForState('preview');
  await witness.recordFor(1);
  await witness.stopRecording();
  await witness.submit();
});

test('a recording that is still being sealed is submitted once it is ready', async ({ page, vidence }) => {
  const [created, witness] = await Witness.openAtCamera(page, vidence);
  await witness.recordFor(1);
  await witness.stopRecording();
  let ready = false;
  await page.route('**/submission', (route) => {
    if (ready) return route.continue();
    const error = { code: 'still_sealing', message: 'the video is still being made ready; ask again' };
    return route.fulfill({ status: 503, headers: { 'Retry-After': '1' }, json: { error } });
  });
  await witness.submitButton.click();
  const preparing = 'It has arrived. We’re getting it ready.';
  await expect(page.getByText(preparing, { exact: true }).filter({ visible: true })).toBeVisible();
  await expect(witness.liveRegion).toContainText(preparing);
  await expectFits(page, 'preparing');
  ready = true;
  await witness.waitForState('submitted');
  expect((await vidence.fetchStatus(created)).status).toBe('submitted');
});
