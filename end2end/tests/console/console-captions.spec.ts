// What is said in the submitted video, as captions in the console.
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';

import { Requester, submitVideo } from '../../support/page/requester.ts';
import { testWithTranscriber as test } from '../../support/server/transcriber.ts';
import { type Vidence, expect } from '../../support/server/vidence.ts';

const VIDEO = readFileSync('../crates/test-support/fixtures/chromium-vp8-opus.webm');

test('what is said shows as captions of a video that is streamed', async ({ page, vidence }) => {
  await expectCaptions(page, vidence);
});

test('what is said shows as captions of a video that is fetched whole', async ({ page, vidence }) => {
  await page.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, 'serviceWorker', { value: undefined });
  });
  await expectCaptions(page, vidence);
  await expect(page.getByText('so all of the video was fetched first')).toBeVisible();
});

async function expectCaptions(page: Page, vidence: Vidence): Promise<void> {
  const requester = new Requester(page);
  const created = await requester.createRequest(vidence.url('/'));
  await submitVideo(vidence, created, VIDEO);
  await requester.waitForDuration();
  const cues = () =>
    requester.video.evaluate((video: HTMLVideoElement) =>
      [...video.textTracks].flatMap((track) =>
        [...(track.cues ?? [])].map((cue) => [track.kind, track.mode, (cue as VTTCue).text]),
      ),
    );
  await expect.poll(cues).toEqual([['captions', 'showing', 'Look &lt;here&gt; &amp; there.']]);
}
