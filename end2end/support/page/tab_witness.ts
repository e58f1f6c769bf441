// The witness, in a browser that Playwright doesn't drive: the person who opens the link and records.
import { expect } from '@playwright/test';
import type { Tab } from '../browser/tab.ts';
import { countStoredRecords } from './stored_records.ts';

/** What is needed to use the recording page. */
type DrivenPage = Pick<Tab, 'goto' | 'evaluate' | 'press'>;

/** Firefox and WebKitGTK encode in software, so everything takes longer. */
export const SLOW_ENGINE = { timeout: 30_000 };

/** After a while without a server the page retries every half minute. */
export const RETRY_TIMEOUT = { timeout: 45_000 };

export class TabWitness<Driven extends DrivenPage = Tab> {
  constructor(readonly tab: Driven) {}

  async open(url: string): Promise<void> {
    await this.tab.goto(url);
    await this.tab.evaluate(keepRecordedBlobs);
  }

  async turnOnCamera(): Promise<void> {
    await this.tab.press('Open camera');
    await this.waitForState('preview');
  }

  /** Records until the page shows this many seconds. */
  async recordFor(seconds: number): Promise<void> {
    await this.tab.press('Record');
    // The countdown isn't skipped: it may be over before a busy browser has found the button.
    await this.waitForState('recording');
    await this.waitForSeconds(seconds);
  }

  async waitForSeconds(seconds: number): Promise<void> {
    await expect.poll(() => this.seconds(), SLOW_ENGINE).toBeGreaterThanOrEqual(seconds);
  }

  /** Waits until the recorder has handed out so many pieces: a busy engine hands out the first ones late. */
  async waitForPieces(count: number): Promise<void> {
    const pieces = () => this.tab.evaluate(() => (window as any).countRecorded() as number);
    await expect.poll(pieces, SLOW_ENGINE).toBeGreaterThanOrEqual(count);
  }

  /** Waits until the device holds so many records. */
  async waitForStored(count: number): Promise<void> {
    await expect.poll(() => this.tab.evaluate(countStoredRecords), SLOW_ENGINE).toBeGreaterThanOrEqual(count);
  }

  async stopRecording(): Promise<void> {
    await this.tab.press('Stop');
    await this.waitForState('review');
  }

  async submit(): Promise<void> {
    await this.tab.press('Send this video');
    await this.waitForState('submitted');
  }

  /** Discards the take, and waits for the preview. */
  async recordAgain(): Promise<void> {
    await this.tab.press('Record again');
    await this.waitForState('confirming-discard');
    await this.tab.press('Delete and record again');
    await this.waitForState('preview');
  }

  /** Waits until the page is in this state. */
  async waitForState(state: string, patience = SLOW_ENGINE): Promise<void> {
    await expect.poll(() => this.state(), patience).toBe(state);
  }

  state(): Promise<string | undefined> {
    return this.tab.evaluate(() => document.querySelector<HTMLElement>('main[data-state]')?.dataset.state);
  }

  /** Whether an element that depends on this flag is visible. */
  isNoticeVisible(flag: string): Promise<boolean> {
    return this.tab.evaluate((flag) => {
      const notices = [...document.querySelectorAll(`main [data-if~="${flag}"]`)];
      return notices.some((it) => it.checkVisibility());
    }, flag);
  }

  async waitForNotice(flag: string): Promise<void> {
    await expect.poll(() => this.isNoticeVisible(flag), SLOW_ENGINE).toBe(true);
  }

  /** The length of the recording that the page shows, in seconds. */
  seconds(): Promise<number> {
    return this.tab.evaluate(() => {
      const text = document.querySelector('[role=timer]')?.textContent ?? '';
      return text.split(':').reduce((sum, part) => 60 * sum + Number(part), 0);
    });
  }

  /** Waits until the review has a duration of more than this many seconds. */
  async waitForDuration(longerThan: number): Promise<void> {
    const length = () =>
      this.tab.evaluate(() => {
        const { duration } = document.querySelector<HTMLVideoElement>('[data-element=review]')!;
        return Number.isFinite(duration) ? duration : 0;
      });
    await expect.poll(length, SLOW_ENGINE).toBeGreaterThan(longerThan);
  }

  /** What MediaRecorder has delivered of the last recording since the page was opened. Throws if that is nothing. */
  async recordedBytes(): Promise<Buffer> {
    const bytes = Buffer.from(await this.tab.evaluate(() => (window as any).recorded()), 'base64');
    if (bytes.length === 0) throw new Error('the browser has recorded nothing since the page was opened');
    return bytes;
  }

  /** Waits until this text is visible. Announcements to screen readers don't count. */
  async waitForText(text: string): Promise<void> {
    const isSeen = () =>
      this.tab.evaluate((text) => {
        const texts = [...document.querySelectorAll('main :is(h1, h2, p):not([role=status])')];
        return texts.some((it) => it.textContent!.includes(text) && it.checkVisibility({ visibilityProperty: true }));
      }, text);
    await expect.poll(isSeen, { ...SLOW_ENGINE, message: text }).toBe(true);
  }

  /** The id of the camera that is on. */
  async activeCamera(): Promise<string | undefined> {
    return (await this.cameraSettings()).deviceId;
  }

  /** The settings of the camera that is on; none if none is. */
  cameraSettings(): Promise<{ deviceId?: string; torch?: boolean; zoom?: number }> {
    return this.tab.evaluate(() => {
      const video = document.querySelector<HTMLVideoElement>('[data-element=live]');
      const [track] = (video?.srcObject as MediaStream | null)?.getVideoTracks() ?? [];
      return track?.getSettings() ?? {};
    });
  }

  /** The names of the camera's tools that are switched on, or chosen. */
  pressedTools(): Promise<string[]> {
    return this.tab.evaluate(() => {
      const pressed = [...document.querySelectorAll('.camera-tools [aria-pressed=true]')];
      return pressed.map((it) => it.getAttribute('aria-label') ?? it.textContent!);
    });
  }

  /** Width and height of the frames in the preview. */
  frameSize(): Promise<[number, number]> {
    return this.tab.evaluate(() => {
      const { videoWidth, videoHeight } = document.querySelector<HTMLVideoElement>('[data-element=live]')!;
      return [videoWidth, videoHeight] as [number, number];
    });
  }

  /** Chooses the lens with this name, once it is offered. */
  async chooseLens(name: string): Promise<void> {
    const choose = () =>
      this.tab.evaluate((name) => {
        const lenses = document.querySelector<HTMLSelectElement>('[data-element=lenses]')!;
        const lens = [...lenses.options].find((it) => it.text === name);
        if (!lens || !lenses.checkVisibility()) return false;
        lenses.value = lens.value;
        lenses.dispatchEvent(new Event('change', { bubbles: true }));
        return true;
      }, name);
    await expect.poll(choose, { ...SLOW_ENGINE, message: name }).toBe(true);
  }

  /** Chooses a camera that isn't on, once the page offers several, and returns its id. */
  async chooseAnotherCamera(): Promise<string> {
    const offered = () =>
      this.tab.evaluate(() => document.querySelectorAll('[data-element=cameras] option:not([value=""])').length);
    await expect.poll(offered, SLOW_ENGINE).toBeGreaterThan(1);
    const other = await this.tab.evaluate(
      (on) => {
        const cameras = document.querySelector<HTMLSelectElement>('[data-element=cameras]')!;
        cameras.closest<HTMLElement>('[popover]')!.showPopover();
        const other = [...cameras.options].map((it) => it.value).find((it) => it && it !== on);
        if (!other || !cameras.checkVisibility()) return undefined;
        cameras.value = other;
        cameras.dispatchEvent(new Event('change', { bubbles: true }));
        cameras.closest<HTMLElement>('[popover]')!.hidePopover();
        return other;
      },
      await this.activeCamera(),
    );
    if (!other) throw new Error('no other camera is offered');
    return other;
  }
}

/** Runs in the page, before it records. */
function keepRecordedBlobs(): void {
  let pieces: Blob[] = [];
  const Recorder = globalThis.MediaRecorder;
  const start = Recorder?.prototype.start;
  if (start) {
    Recorder.prototype.start = function (...slice) {
      pieces = [];
      const own = pieces;
      this.addEventListener('dataavailable', ({ data }) => own.push(data));
      return start.apply(this, slice);
    };
  }
  const recorded = async () => {
    const reader = new FileReader();
    const read = new Promise((done) => (reader.onload = done));
    reader.readAsDataURL(new Blob(pieces));
    await read;
    return (reader.result as string).split(';base64,')[1] ?? '';
  };
  const countRecorded = () => pieces.filter((it) => it.size > 0).length;
  Object.assign(window, { recorded, countRecorded });
}
