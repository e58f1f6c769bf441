import { expect, test } from './vidence.ts';
import { fits } from './screens.ts';
import { Tape } from './tape.ts';
import { Witness } from './witness.ts';

test('a person records and sends, and the agent watches and deletes', { tag: '@tls' }, async ({ page, vidence, browser }) => {
  const created = await vidence.create('Show the dent.\n<b>Then</b> the number plate.');
  const witness = new Witness(page);
  await witness.open(created.submission_url);
  const protocol = await page.evaluate(() => {
    const [opened] = performance.getEntriesByType('navigation');
    return (opened as PerformanceNavigationTiming).nextHopProtocol;
  });
  expect(protocol).toBe(vidence.transport === 'tls' ? 'h2' : 'http/1.1');
  await expect(page.getByText('<b>Then</b> the number plate.')).toBeVisible();
  expect((await vidence.status(created)).status).toBe('awaiting_submission');

  await witness.turnOnCamera();
  await witness.recordFor(3);
  // Bytes are safe while the recording still runs.
  await expect.poll(() => vidence.committed(created)).toBeGreaterThan(0);
  await expect(witness.stop).toBeVisible();
  await witness.reaches(6);
  // There is a long way to the end of what may be recorded.
  await expect(witness.notice('last-minute')).toHaveCount(0);
  const beforeStop = await vidence.committed(created);
  expect(beforeStop).toBeGreaterThan(0);
  await witness.stops();
  await witness.plays(5);
  expect((await vidence.status(created)).status).toBe('awaiting_submission');
  const recorded = witness.tape.bytes();
  expect(recorded.length).toBeGreaterThan(beforeStop);

  await witness.sends();
  await expect(page.getByRole('heading', { name: 'Sent. Thank you!' })).toBeVisible();
  await expect(page.getByText('You can close this page.')).toBeVisible();

  const status = await vidence.status(created);
  expect(status.status).toBe('submitted');
  expect(status.video.expires_at).toBe(created.expires_at);
  const downloaded = await vidence.download(created);
  Tape.expectWhole(downloaded, recorded);

  const part = await vidence.as(created, status.video.url, { headers: { Range: 'bytes=0-1' } });
  expect(part.status).toBe(206);
  expect(part.headers.get('content-range')).toBe(`bytes 0-1/${downloaded.length}`);
  expect(part.headers.get('content-type')).toMatch(/^video\//);

  const picture = await decode(await browser.newPage(), downloaded);
  expect(picture.width).toBeGreaterThan(0);
  expect(picture.frames).toBeGreaterThan(0);
  expect(picture.end).toBeGreaterThan(5);

  expect((await vidence.as(created, `/v1/requests/${created.id}`, { method: 'DELETE' })).status).toBe(204);
  expect((await vidence.as(created, `/v1/requests/${created.id}`)).status).toBe(404);
  expect((await vidence.as(created, status.video.url)).status).toBe(404);
  await page.goto(created.submission_url);
  await expect(page.getByRole('heading', { name: 'There is nothing at this link' })).toBeVisible();
});

test('a second tap on Stop sends nothing', async ({ page, vidence }) => {
  const submissions: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/submission')) submissions.push(request.method());
  });
  const [created, witness] = await Witness.invited(page, vidence);
  await witness.recordFor(1);
  await witness.stop.dblclick({ delay: 80 });
  await witness.is('review');
  await expect(witness.notice('complete').first()).toBeVisible();
  await expect(witness.send).toBeEnabled();
  expect(submissions).toEqual([]);
  expect((await vidence.status(created)).status).toBe('awaiting_submission');
});

test('a recording is thrown away only after a question, and then everywhere', async ({ page, vidence }) => {
  const [created, witness] = await Witness.invited(page, vidence);
  const begun = page.waitForResponse((answer) => {
    return answer.request().method() === 'POST' && answer.url().endsWith('/takes');
  });
  await witness.recordFor(1);
  await witness.stops();
  await expect(witness.notice('complete').first()).toBeVisible();
  const first = (await (await begun).headerValue('location'))!.split('/').at(-1)!;

  await witness.again.click();
  await witness.is('confirming-discard');
  await fits(page, 'confirming-discard');
  await witness.keep.click();
  await witness.is('review');
  expect((await vidence.state(created, first)).take).toMatchObject({ complete: true });

  await witness.recordsAgain();
  await expect.poll(async () => (await vidence.state(created)).takes).toEqual([]);
  await witness.recordFor(2);
  await witness.stops();
  await expect(witness.notice('complete').first()).toBeVisible();
  expect((await vidence.state(created)).takes).toHaveLength(1);
  await witness.sends();
  const second = witness.tape.bytes();
  expect(witness.tape.reels).toHaveLength(2);
  Tape.expectWhole(await vidence.download(created), second);
});

/** Plays to the end, in a page of its own. */
async function decode(page: import('@playwright/test').Page, bytes: Buffer) {
  return page.evaluate(async (base64) => {
    const video = document.createElement('video');
    video.muted = true;
    video.playbackRate = 8;
    const data = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
    video.src = URL.createObjectURL(new Blob([data]));
    const ended = new Promise((done, failed) => {
      video.onended = done;
      video.onerror = () => failed(new Error(video.error?.message));
    });
    await video.play();
    await ended;
    const frames = video.getVideoPlaybackQuality().totalVideoFrames;
    return { width: video.videoWidth, end: video.currentTime, frames };
  }, bytes.toString('base64'));
}
