// A long recording in 1080p on a page whose script runs four times slower: frames, memory, and how soon a press on each
// control of a recording shows; beside it what the browser alone needs for such a recording.
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from '@playwright/test';
import { Chromium } from '../support/browser/chromium.ts';
import { Witness } from '../support/page/witness.ts';
import { recordBare } from './bare_recorder.ts';
import { peakAbove, rendererOf } from './processes.ts';
import { QUICK, measure, megabytes, percentile, table } from './report.ts';

const SECONDS = Number(process.env.VIDENCE_SECONDS ?? (QUICK ? 30 : 600));
const SLOWER = 4;
const FRAMES_PER_SECOND = 30;

/** How often each control is pressed during the recording, but for Stop. */
const ROUNDS = QUICK ? 3 : 20;

/** How long a finger or a mouse's button is down. What that alone makes the page do isn't added to what the press does. */
const PRESS = { delay: 80 };

/** The controls, by their selectors. Steps open as a sheet, which Escape closes. */
const CONTROLS = {
  '.prompt__open': 'All steps',
  '.step__tick': 'Tick',
  '[data-action=pause]': 'Pause',
  '[data-action=resume]': 'Resume',
  '[data-action=stop]': 'Stop',
};

/** A press, and how long it takes until the next frame shows it, in ms. */
interface Interaction {
  control: string;
  duration: number;
  /** Until the page's script gets it. */
  waited: number;
  /** Of the script. The rest goes for layout and paint. */
  handled: number;
}

measure('a long recording in 1080p at four times throttled script', async ({ vidence }) => {
  const film = join(tmpdir(), `vidence-1080p-${process.pid}.mjpeg`);
  makeFilm(film);
  const browser = new Chromium();
  try {
    const context = await browser.start(`--use-file-for-fake-video-capture=${film}`);
    const [created, other] = [await vidence.createRequest('Show the label.\nShow the back.'), await vidence.createRequest()];
    const idle = await context.newPage();
    await idle.goto(other.submission_url);
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    // The rule for the size of the video asks for as many cores.
    await page.addInitScript(() => Object.defineProperty(navigator, 'hardwareConcurrency', { value: 8 }));
    await observeInteractions(page);
    // Not `open`: that would copy each piece out of the page, through its memory.
    await page.goto(created.submission_url);
    const witness = new Witness(page);
    await witness.turnOnCamera();
    const [at, beside] = [await rendererOf(page, browser.pid), await rendererOf(idle, browser.pid)];
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
    await witness.startRecording();
    let peak = { rss: 0, pss: 0 };
    // By the page's timer, which stands still during a pause.
    for (let round = 0; (await witness.seconds('recorded')) < SECONDS; round++) {
      peak = peakAbove(peak, at, beside);
      if (round < ROUNDS) {
        await page.locator('.prompt__open').click(PRESS);
        await page.keyboard.press('Escape');
        // The first round ticks the first step, the others the last one, again and again.
        await page.locator('.step__tick').filter({ visible: true }).click(PRESS);
        await witness.pauseButton.click(PRESS);
        await witness.resumeButton.click(PRESS);
      }
      await page.waitForTimeout(1000);
    }
    const shown = await page.evaluate(() => {
      const live = document.querySelector<HTMLVideoElement>('[data-element=live]')!;
      const { totalVideoFrames, droppedVideoFrames } = live.getVideoPlaybackQuality();
      return { size: `${live.videoWidth}×${live.videoHeight}`, totalVideoFrames, droppedVideoFrames };
    });
    await witness.stopButton.click(PRESS);
    await witness.waitForState('review');
    // The browser reports an interaction some time after its frame.
    await page.waitForTimeout(1000);
    const interactions = await page.evaluate(() => (window as any).interactions as Interaction[]);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 });
    await witness.notice('complete').first().waitFor({ timeout: 600_000 });
    await witness.submit();
    await page.goto('about:blank');
    const bare = await measureBare(context, beside, browser.pid);
    const { properties } = await vidence.fetchMetadata(created);
    const frames = countFrames(await vidence.download(created));
    const expected = (properties.duration_ms / 1000) * FRAMES_PER_SECOND;
    const percent = (part: number, all: number) => `${((100 * part) / all).toFixed(2)} %`;
    table(`${SECONDS} s in ${shown.size}, script ${SLOWER} times slower`, [
      ['what', 'measured', 'the browser alone', 'aim'],
      ['recorded size', `${properties.width}×${properties.height}`, '1920×1080', '1920×1080'],
      ['recorded length, s', (properties.duration_ms / 1000).toFixed(1), bare.seconds.toFixed(1), SECONDS],
      [
        'frames missing in the recording',
        percent(Math.max(0, expected - frames), expected),
        percent(Math.max(0, bare.expected - bare.frames), bare.expected),
        '< 1 %',
      ],
      ['frames dropped in the preview', percent(shown.droppedVideoFrames, shown.totalVideoFrames), '', '< 1 %'],
      ['RSS above an idle page at most, MB', megabytes(peak.rss), megabytes(bare.peak.rss), '≤ 150'],
      // The aim is for RSS, which counts what is shared once for each process. PSS tells how much of it that is.
      ['PSS above an idle page at most, MB', megabytes(peak.pss), megabytes(bare.peak.pss), ''],
      ['from a press to the next frame, p98 ms', percentile(interactions.map((it) => it.duration), 98), '', '< 100'],
    ]);
    table('From a press to the next frame, ms', [
      // Shorter ones than 16 ms aren't reported.
      ['control', 'reported', 'median', 'longest', 'waited, median', 'script, median'],
      ...[...Object.values(CONTROLS), 'Escape'].map((control) => {
        const presses = interactions.filter((it) => it.control === control);
        const durations = presses.map((it) => it.duration);
        const parts = [presses.map((it) => it.waited), presses.map((it) => it.handled)];
        const cells = [...[50, 100].map((it) => percentile(durations, it)), ...parts.map((it) => percentile(it, 50))];
        return [control, presses.length, ...cells.map((it) => it ?? '–')];
      }),
    ]);
  } finally {
    await browser.end();
    rmSync(film, { force: true });
  }
});

/** Records as long on a page that does nothing else, also throttled. */
async function measureBare(context: BrowserContext, beside: number, browser: number) {
  const file = join(tmpdir(), `vidence-1080p-bare-${process.pid}.webm`);
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  try {
    const recorder = await recordBare(page, file);
    const at = await rendererOf(page, browser);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
    let peak = { rss: 0, pss: 0 };
    for (const began = Date.now(); Date.now() - began < SECONDS * 1000; await page.waitForTimeout(1000)) {
      peak = peakAbove(peak, at, beside);
    }
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 });
    await recorder.stop();
    const { frames, seconds } = readPackets(file);
    return { frames, seconds, peak, expected: seconds * FRAMES_PER_SECOND };
  } finally {
    await page.close();
    rmSync(file, { force: true });
  }
}

/** A film of a hand-held camera's kind: it moves and has noise. */
function makeFilm(file: string): void {
  const picture = `testsrc2=size=1920x1080:rate=${FRAMES_PER_SECOND}:duration=10,noise=alls=10:allf=t`;
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-f', 'lavfi', '-i', picture, '-c:v', 'mjpeg', '-q:v', '8', file]);
}

/** Notes how long each interaction takes until the next frame shows it: Event Timing, whose steps are 8 ms. */
async function observeInteractions(page: Page): Promise<void> {
  await page.addInitScript((controls) => {
    const interactions: Interaction[] = ((window as any).interactions = []);
    const longest = new Map<number, Interaction>();
    const controlOf = ({ name, target }: PerformanceEventTiming) => {
      const pressed = controls.find(([selector]) => (target as Element | null)?.closest?.(selector));
      return name.startsWith('key') ? 'Escape' : (pressed?.[1] ?? name);
    };
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEventTiming & { interactionId: number })[]) {
        const { interactionId, duration, startTime, processingStart, processingEnd } = entry;
        if (!interactionId || duration <= (longest.get(interactionId)?.duration ?? 0)) continue;
        const [waited, handled] = [processingStart - startTime, processingEnd - processingStart].map(Math.round);
        longest.set(interactionId, { control: controlOf(entry), duration, waited, handled });
      }
      interactions.splice(0, interactions.length, ...longest.values());
    }).observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit);
  }, Object.entries(CONTROLS));
}

function countFrames(video: Uint8Array): number {
  const file = join(tmpdir(), `vidence-1080p-${process.pid}.video`);
  writeFileSync(file, video);
  try {
    return readPackets(file).frames;
  } finally {
    rmSync(file, { force: true });
  }
}

/** The frames in a video, and the time from the first to the end of the last. */
function readPackets(file: string): { frames: number; seconds: number } {
  const packets = ['-v', 'error', '-select_streams', 'v:0', '-show_entries', 'packet=pts_time', '-of', 'csv=p=0'];
  const listed = execFileSync('ffprobe', [...packets, file], { maxBuffer: 1 << 26 }).toString();
  const times = listed.split('\n').filter(Boolean).map((it) => Number.parseFloat(it));
  return { frames: times.length, seconds: Math.max(...times) - Math.min(...times) + 1 / FRAMES_PER_SECOND };
}
