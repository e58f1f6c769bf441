// What is said in the submitted video, as captions in the console.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Requester, submitVideo } from '../../support/page/requester.ts';
import { test as base, expect } from '../../support/server/vidence.ts';

const VIDEO = readFileSync('../crates/test-support/fixtures/chromium-vp8-opus.webm');

const test = base.extend({
  /** With a transcriber that understands one sentence, whatever is said. */
  flags: async ({}, use) => {
    const segments = [{ start: 0.1, end: 1.2, text: 'Look <here> & there.' }];
    const transcriber = createServer((request, answer) => {
      request.resume().on('end', () => answer.end(JSON.stringify({ segments })));
    });
    await once(transcriber.listen(0, '127.0.0.1'), 'listening');
    const { port } = transcriber.address() as AddressInfo;
    await use(['--transcriber-url', `http://127.0.0.1:${port}`]);
    transcriber.close();
  },
});

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
