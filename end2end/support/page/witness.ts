// The witness: the person who opens the link and records, in a browser that Playwright drives.
import { type Locator, type Page, expect } from '@playwright/test';
import { RecorderSpy } from './recorder_spy.ts';
import { countStoredRecords } from './stored_records.ts';
import type { Created, Vidence } from '../server/vidence.ts';

export class Witness {
  readonly main: Locator;
  readonly cameraButton: Locator;
  readonly recordButton: Locator;
  readonly stopButton: Locator;
  readonly pauseButton: Locator;
  readonly resumeButton: Locator;
  readonly submitButton: Locator;
  /** Opens the question whether to discard the take. */
  readonly recordAgainButton: Locator;
  readonly confirmRecordAgainButton: Locator;
  readonly keepButton: Locator;
  readonly retryButton: Locator;
  readonly reviewVideo: Locator;
  readonly liveVideo: Locator;
  /** Switches the sound of the recording off and on. */
  readonly soundSwitch: Locator;
  /** Opens the sheet with the sources beside the camera. */
  readonly otherWaysButton: Locator;
  /** Opens the sheet with the whole prompt. */
  readonly promptButton: Locator;
  readonly fileField: Locator;
  /** Announcements to screen readers. */
  readonly liveRegion: Locator;
  /** What MediaRecorder delivers. Attached when the page is opened. */
  spy = new RecorderSpy();

  constructor(readonly page: Page) {
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    this.main = page.locator('main[data-state]');
    this.cameraButton = button('Open camera');
    this.recordButton = button('Record');
    this.pauseButton = button('Pause');
    this.resumeButton = button('Resume');
    this.submitButton = button('Send this video');
    this.recordAgainButton = button('Record again');
    this.confirmRecordAgainButton = button('Delete and record again');
    this.keepButton = button('Keep this one');
    this.retryButton = button('Try again');
    // Its name differs: Stop, and after a pause Finish.
    this.stopButton = this.action('stop');
    this.otherWaysButton = button('Other ways');
    this.promptButton = button('You’ve been asked for a video');
    this.reviewVideo = this.part('review');
    this.liveVideo = this.part('live');
    this.liveRegion = this.main.getByRole('status');
    // The field itself is hidden; its label is visible.
    const shown = this.main.locator('label').filter({ visible: true });
    this.soundSwitch = page.getByText('Sound', { exact: true });
    this.fileField = shown.locator('[data-element=file-input]').first();
  }

  /** Creates a request, opens its link and turns the camera on. */
  static async openAtCamera(page: Page, vidence: Vidence): Promise<[Created, Witness]> {
    const created = await vidence.createRequest();
    const witness = new Witness(page);
    await witness.open(created.submission_url);
    await witness.turnOnCamera();
    return [created, witness];
  }

  async open(url: string): Promise<void> {
    this.spy = await RecorderSpy.attach(this.page);
    await this.page.goto(url);
  }

  /** Waits until the page is in this state. */
  async waitForState(state: string | RegExp): Promise<void> {
    await expect(this.main).toHaveAttribute('data-state', state);
  }

  /** The visible elements of this part. */
  part(name: string): Locator {
    return this.main.locator(`[data-element=${name}]`).filter({ visible: true });
  }

  /** The visible button for this action. */
  action(name: string): Locator {
    return this.main.locator(`[data-action=${name}]`).filter({ visible: true }).first();
  }

  /** The visible elements that depend on this flag. */
  notice(flag: string): Locator {
    return this.main.locator(`[data-if~="${flag}"]`).filter({ visible: true });
  }

  /** The first visible element that shows this figure. */
  figure(name: string): Locator {
    return this.main.locator(`[data-slot=${name}]`).filter({ visible: true }).first();
  }

  /** A length that the page shows, in seconds. */
  async seconds(figure: 'recorded' | 'sent' | 'left'): Promise<number> {
    const text = (await this.figure(figure).textContent()) ?? '';
    return text.split(':').reduce((sum, part) => 60 * sum + Number(part), 0);
  }

  async turnOnCamera(): Promise<void> {
    await this.cameraButton.click();
    await this.waitForState('preview');
  }

  /** Starts recording, and skips the countdown. */
  async startRecording(): Promise<void> {
    await this.recordButton.click();
    // On a busy machine the countdown may be over before it is skipped.
    await this.action('skip-countdown')
      .click({ timeout: 2000 })
      .catch(() => {});
    await this.waitForState('recording');
  }

  /** Holds the countdown until the returned function is called: a busy machine would look at it too late. */
  async holdCountdown(): Promise<() => Promise<void>> {
    await this.page.evaluate(() => {
      const now = performance.now();
      Object.defineProperty(performance, 'now', { value: () => now, configurable: true });
    });
    return () => this.page.evaluate(() => void Reflect.deleteProperty(performance, 'now'));
  }

  /** Records until the page shows this many seconds. */
  async recordFor(seconds: number): Promise<void> {
    await this.startRecording();
    await this.waitForSeconds(seconds);
  }

  async waitForSeconds(seconds: number, figure: 'recorded' | 'sent' = 'recorded'): Promise<void> {
    await expect.poll(() => this.seconds(figure), { timeout: 30_000 }).toBeGreaterThanOrEqual(seconds);
  }

  async stopRecording(): Promise<void> {
    await this.stopButton.click();
    await this.waitForState('review');
    await this.spy.waitUntilStopped();
  }

  async submit(): Promise<void> {
    await this.submitButton.click();
    await this.waitForState('submitted');
  }

  /** Chooses a video on the first screen. */
  async chooseFile(file: Parameters<Locator['setInputFiles']>[0]): Promise<void> {
    await this.waitForState('idle');
    await this.otherWaysButton.click();
    await this.fileField.setInputFiles(file);
  }

  /** Waits until the whole take is stored on this device, which is later than the review is shown. */
  async waitUntilStored(): Promise<void> {
    const ended = () =>
      this.page.evaluate(async () => {
        const opening = indexedDB.open('vidence');
        await new Promise((done) => (opening.onsuccess = done));
        const reading = opening.result.transaction('takes').objectStore('takes').getAll();
        await new Promise((done) => (reading.onsuccess = done));
        opening.result.close();
        return reading.result.map((take) => take.ended);
      });
    await expect.poll(ended).toEqual([true]);
  }

  /** The number of records in all IndexedDB stores of the site. */
  countStoredRecords(): Promise<number> {
    return this.page.evaluate(countStoredRecords);
  }

  /** Discards the take, and waits for the preview. */
  async recordAgain(): Promise<void> {
    await this.recordAgainButton.click();
    await this.waitForState('confirming-discard');
    await this.confirmRecordAgainButton.click();
    await this.waitForState('preview');
  }

  /** Waits until the review has a duration of more than this many seconds, and returns it. */
  async waitForDuration(longerThan: number): Promise<number> {
    // Browsers record WebM without a duration: it is infinite until the page has sought the end.
    const length = () =>
      this.reviewVideo.evaluate(({ duration }: HTMLVideoElement) => (Number.isFinite(duration) ? duration : 0));
    await expect.poll(length).toBeGreaterThan(longerThan);
    return length();
  }
}
