// Memory of a long recording on a network that is slower than the recording, and that fails several times.
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { Chromium } from '../support/browser/chromium.ts';
import { MEGABIT } from '../support/network/network_proxy.ts';
import { Witness } from '../support/page/witness.ts';
import { rendererOf, memory } from './processes.ts';
import { QUICK, measure, megabytes, table } from './report.ts';

const SECONDS = QUICK ? 40 : 600;
const CUTS = QUICK ? 2 : 6;
const AWAY = QUICK ? 5 : 15;
const EVERY = QUICK ? 5 : 20;

measure('memory of a long recording on a bad network', async ({ vidence, network }) => {
  const video = join(tmpdir(), `vidence-noise-${process.pid}.mjpeg`);
  makeNoisyVideo(video);
  const browser = new Chromium();
  try {
    const context = await browser.start(`--use-file-for-fake-video-capture=${video}`);
    network.limitRate(MEGABIT);
    const [created, other] = [await vidence.createRequest(), await vidence.createRequest()];
    const idle = await context.newPage();
    await idle.goto(network.url(`/r/${other.id}`));
    const page = await context.newPage();
    await countRecordedBytes(page);
    // Not `open`: that would copy each blob out of the page, through its memory.
    await page.goto(network.url(`/r/${created.id}`));
    const witness = new Witness(page);
    await witness.turnOnCamera();
    const [at, beside] = [await rendererOf(page, browser.pid), await rendererOf(idle, browser.pid)];
    await witness.startRecording();
    const began = Date.now();
    const passed = () => (Date.now() - began) / 1000;

    const rows: (string | number)[][] = [['s', 'RSS MB', 'idle', 'private MB', 'idle', 'recorded MB', 'safe MB']];
    let [most, mostOwn] = [0, 0];
    let cut = 0;
    let isCut = false;
    for (let next = 0; passed() < SECONDS;) {
      const away = (SECONDS * (cut + 0.5)) / CUTS;
      if (!isCut && cut < CUTS && passed() >= away) {
        await network.cut();
        isCut = true;
      } else if (isCut && passed() >= away + AWAY) {
        await network.restore();
        isCut = false;
        cut += 1;
      }
      if (passed() >= next) {
        const [here, there] = [memory(at), memory(beside)];
        most = Math.max(most, here.resident - there.resident);
        mostOwn = Math.max(mostOwn, here.own - there.own);
        const sizes = [here.resident, there.resident, here.own, there.own, await recordedBytes(page)];
        const safe = await vidence.committedBytes(created);
        rows.push([next, ...sizes.map(megabytes), `${megabytes(safe)}${isCut ? ' (cut)' : ''}`]);
        next += EVERY;
      }
      await page.waitForTimeout(200);
    }
    table('Memory while recording', rows);

    const figures = await page.evaluate(() => {
      const { videoWidth, videoHeight } = document.querySelector<HTMLVideoElement>('[data-element=live]')!;
      return `${videoWidth}×${videoHeight}`;
    });
    const before = network.up.carriedBytes;
    const stopped = Date.now();
    await witness.stopButton.click();
    await witness.waitForState('review');
    const all = await recordedBytes(page);
    const backlog = all - (await vidence.committedBytes(created));
    await witness.notice('complete').first().waitFor({ timeout: 3_600_000 });
    const drained = (Date.now() - stopped) / 1000;
    const carried = network.up.carriedBytes - before;
    await witness.submit();
    const { properties } = await vidence.fetchMetadata(created);
    table('At the end', [
      ['what', 'measured', 'aim'],
      ['picture', figures, '1280×720'],
      ['sealed length, s', (properties.duration_ms / 1000).toFixed(1), SECONDS],
      ['bit rate, Mbit/s', ((8 * all) / 1e6 / SECONDS).toFixed(2), ''],
      ['RSS above an idle page at most, MB', megabytes(most), '≤ 150'],
      ['private memory above an idle page at most, MB', megabytes(mostOwn), ''],
      ['backlog at Stop, MB', megabytes(backlog), ''],
      ['sent after Stop, on the wire, MB', megabytes(carried), '≈ the backlog'],
      ['from Stop until all is sent, s', drained.toFixed(1), ''],
      ['that backlog at 1 Mbit/s, s', (backlog / MEGABIT).toFixed(1), ''],
    ]);
  } finally {
    await browser.end();
    rmSync(video, { force: true });
  }
});

/** A video that is as hard to compress as one of a hand-held camera. */
function makeNoisyVideo(file: string): void {
  const picture = 'testsrc2=size=1280x720:rate=30:duration=10,noise=alls=25:allf=t';
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-f', 'lavfi', '-i', picture, '-c:v', 'mjpeg', '-q:v', '6', file]);
}

/** Counts the bytes that MediaRecorder delivers. */
async function countRecordedBytes(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const start = MediaRecorder.prototype.start;
    (window as any).made = 0;
    MediaRecorder.prototype.start = function (...slice) {
      this.addEventListener('dataavailable', ({ data }) => ((window as any).made += data.size));
      return start.apply(this, slice);
    };
  });
}

const recordedBytes = (page: Page) => page.evaluate(() => (window as any).made as number);
