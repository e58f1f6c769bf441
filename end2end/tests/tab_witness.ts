// The person with the link, in a browser that Playwright doesn't drive.
import { expect } from '@playwright/test';
import type { Tab } from './tab.ts';

/** What it takes to use the page. */
type DrivenPage = Pick<Tab, 'goto' | 'evaluate' | 'press'>;

/** Firefox and WebKitGTK encode by the processor: everything takes longer. */
const SLOW_ENGINE = { timeout: 30_000 };

/** After a while without a server the page tries each half minute. */
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

  /** Records until the page itself shows so many seconds. */
  async recordFor(seconds: number): Promise<void> {
    await this.tab.press('Record');
    // The countdown isn't cut short: it may be over before a busy browser has found the button for that.
    await this.waitForState('recording');
    await this.waitForSeconds(seconds);
  }

  async waitForSeconds(seconds: number): Promise<void> {
    await expect.poll(() => this.seconds(), SLOW_ENGINE).toBeGreaterThanOrEqual(seconds);
  }

  async stopRecording(): Promise<void> {
    await this.tab.press('Stop');
    await this.waitForState('review');
  }

  async submit(): Promise<void> {
    await this.tab.press('Send this video');
    await this.waitForState('submitted');
  }

  /** Throws the take away, and has the camera on again. */
  async recordAgain(): Promise<void> {
    await this.tab.press('Record again');
    await this.waitForState('confirming-discard');
    await this.tab.press('Delete and record again');
    await this.waitForState('preview');
  }

  /** Waits for the page to be in this state. */
  async waitForState(state: string, patience = SLOW_ENGINE): Promise<void> {
    await expect.poll(() => this.state(), patience).toBe(state);
  }

  state(): Promise<string | undefined> {
    return this.tab.evaluate(() => document.querySelector<HTMLElement>('main[data-state]')?.dataset.state);
  }

  /** Whether something is shown while this flag is up. */
  isNoticeVisible(flag: string): Promise<boolean> {
    return this.tab.evaluate((flag) => {
      const notices = [...document.querySelectorAll(`main [data-if~="${flag}"]`)];
      return notices.some((it) => it.checkVisibility());
    }, flag);
  }

  async waitForNotice(flag: string): Promise<void> {
    await expect.poll(() => this.isNoticeVisible(flag), SLOW_ENGINE).toBe(true);
  }

  /** How long the recording is, as the page shows it. */
  seconds(): Promise<number> {
    return this.tab.evaluate(() => {
      const text = document.querySelector('[role=timer]')?.textContent ?? '';
      return text.split(':').reduce((sum, part) => 60 * sum + Number(part), 0);
    });
  }

  /** Waits for the review to know that it plays for longer than so many seconds. */
  async waitForDuration(longerThan: number): Promise<void> {
    const length = () =>
      this.tab.evaluate(() => {
        const { duration } = document.querySelector<HTMLVideoElement>('[data-element=review]')!;
        return Number.isFinite(duration) ? duration : 0;
      });
    await expect.poll(length, SLOW_ENGINE).toBeGreaterThan(longerThan);
  }

  /** All that the browser has handed out of the last recording since the page was opened. Fails if that is nothing. */
  async recordedBytes(): Promise<Buffer> {
    const bytes = Buffer.from(await this.tab.evaluate(() => (window as any).recorded()), 'base64');
    if (bytes.length === 0) throw new Error('the browser has recorded nothing since the page was opened');
    return bytes;
  }

  /** Waits for this text to be visible: what is said aloud doesn't count. */
  async waitForText(text: string): Promise<void> {
    const isSeen = () =>
      this.tab.evaluate((text) => {
        const texts = [...document.querySelectorAll('main :is(h1, h2, p):not([role=status])')];
        return texts.some((it) => it.textContent!.includes(text) && it.checkVisibility({ visibilityProperty: true }));
      }, text);
    await expect.poll(isSeen, { ...SLOW_ENGINE, message: text }).toBe(true);
  }

  /** Which camera is on. */
  activeCamera(): Promise<string | undefined> {
    return this.tab.evaluate(() => {
      const video = document.querySelector<HTMLVideoElement>('[data-element=live]');
      const [track] = (video?.srcObject as MediaStream | null)?.getVideoTracks() ?? [];
      return track?.getSettings().deviceId;
    });
  }

  /** Chooses a camera that isn't on. */
  async chooseAnotherCamera(): Promise<string> {
    const other = await this.tab.evaluate((on) => {
      const cameras = document.querySelector<HTMLSelectElement>('[data-element=cameras]')!;
      cameras.closest('details')!.open = true;
      const other = [...cameras.options].map((it) => it.value).find((it) => it && it !== on);
      if (!other || !cameras.checkVisibility()) return undefined;
      cameras.value = other;
      cameras.dispatchEvent(new Event('change', { bubbles: true }));
      return other;
    }, await this.activeCamera());
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
  Object.assign(window, { recorded });
}
