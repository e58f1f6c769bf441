// The person with the link.
import { type Locator, type Page, expect } from '@playwright/test';
import { RecorderSpy } from './recorder_spy.ts';
import type { Created, Vidence } from './vidence.ts';

export class Witness {
  readonly main: Locator;
  readonly cameraButton: Locator;
  readonly recordButton: Locator;
  readonly stopButton: Locator;
  readonly pauseButton: Locator;
  readonly resumeButton: Locator;
  readonly submitButton: Locator;
  /** Asks first. */
  readonly recordAgainButton: Locator;
  readonly confirmRecordAgainButton: Locator;
  readonly keepButton: Locator;
  readonly retryButton: Locator;
  readonly reviewVideo: Locator;
  readonly liveVideo: Locator;
  /** Switches it off, and on again. */
  readonly soundSwitch: Locator;
  readonly fileField: Locator;
  /** What is said to those who don't see. */
  readonly liveRegion: Locator;
  /** What the browser's recorders make. There once the page is open. */
  spy = new RecorderSpy();

  constructor(readonly page: Page) {
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    this.main = page.locator('main[data-state]');
    this.cameraButton = button('Open camera');
    this.recordButton = button('Record');
    this.stopButton = button('Stop');
    this.pauseButton = button('Pause');
    this.resumeButton = button('Resume');
    this.submitButton = button('Send this video');
    this.recordAgainButton = button('Record again');
    this.confirmRecordAgainButton = button('Delete and record again');
    this.keepButton = button('Keep this one');
    this.retryButton = button('Try again');
    this.reviewVideo = this.part('review');
    this.liveVideo = this.part('live');
    this.liveRegion = this.main.getByRole('status');
    // The field itself is hidden in its label.
    const shown = this.main.locator('label').filter({ visible: true });
    this.soundSwitch = page.getByText('Sound', { exact: true });
    this.fileField = shown.locator('[data-element=file-input]').first();
  }

  /** A new request, and its person at the camera. */
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

  /** Waits for the page to be in one of its states. */
  async waitForState(state: string | RegExp): Promise<void> {
    await expect(this.main).toHaveAttribute('data-state', state);
  }

  /** What is shown of this part. */
  part(name: string): Locator {
    return this.main.locator(`[data-element=${name}]`).filter({ visible: true });
  }

  /** The button that does this. */
  action(deed: string): Locator {
    return this.main.locator(`[data-action=${deed}]`).filter({ visible: true }).first();
  }

  /** What is shown while this flag is up. */
  notice(flag: string): Locator {
    return this.main.locator(`[data-if~="${flag}"]`).filter({ visible: true });
  }

  /** A number that is filled in, wherever it is shown. */
  figure(name: string): Locator {
    return this.main.locator(`[data-slot=${name}]`).filter({ visible: true }).first();
  }

  /** A length that is shown, in seconds. */
  async seconds(figure: 'recorded' | 'sent' | 'left'): Promise<number> {
    const text = (await this.figure(figure).textContent()) ?? '';
    return text.split(':').reduce((sum, part) => 60 * sum + Number(part), 0);
  }

  async turnOnCamera(): Promise<void> {
    await this.cameraButton.click();
    await this.waitForState('preview');
  }

  /** Begins, without the countdown. */
  async startRecording(): Promise<void> {
    await this.recordButton.click();
    // On a busy machine the countdown may be over before it is skipped.
    await this.action('skip-countdown')
      .click({ timeout: 2000 })
      .catch(() => {});
    await this.waitForState('recording');
  }

  /** Records until the page itself shows so many seconds. */
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

  /** Waits until all of the take is on this device: it is shown before that. */
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

  /** How many records this browser keeps for the site. */
  countStoredRecords(): Promise<number> {
    return this.page.evaluate(async () => {
      let records = 0;
      for (const { name } of await indexedDB.databases()) {
        const opening = indexedDB.open(name!);
        await new Promise((done) => (opening.onsuccess = done));
        for (const store of opening.result.objectStoreNames) {
          const counting = opening.result.transaction(store).objectStore(store).count();
          await new Promise((done) => (counting.onsuccess = done));
          records += counting.result;
        }
        opening.result.close();
      }
      return records;
    });
  }

  /** Throws the take away, and has the camera on again. */
  async recordAgain(): Promise<void> {
    await this.recordAgainButton.click();
    await this.waitForState('confirming-discard');
    await this.confirmRecordAgainButton.click();
    await this.waitForState('preview');
  }

  /** Waits for the review to know that it plays for longer than so many seconds; for how long it does. */
  async waitForDuration(longerThan: number): Promise<number> {
    // Browsers record WebM without a length, which is infinite until the page has looked for the end.
    const length = () =>
      this.reviewVideo.evaluate(({ duration }: HTMLVideoElement) => (Number.isFinite(duration) ? duration : 0));
    await expect.poll(length).toBeGreaterThan(longerThan);
    return length();
  }
}
