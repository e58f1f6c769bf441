// What is said in the submitted video, as captions in the console.
import { readFileSync } from 'node:fs';
import { Requester, submitVideo } from '../../support/page/requester.ts';
import { testWithTranscriber as test } from '../../support/server/transcriber.ts';
import { expect } from '../../support/server/vidence.ts';

const VIDEO = readFileSync('../crates/test-support/fixtures/chromium-vp8-opus.webm');

test('what is said shows as captions', async ({ page, vidence }) => {
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
});
