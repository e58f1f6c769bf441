// The person with the link.
import { type Locator, type Page, expect } from '@playwright/test';
import { Tape } from './tape.ts';
import type { Created, Vidence } from './vidence.ts';

export class Witness {
  readonly main: Locator;
  readonly camera: Locator;
  readonly record: Locator;
  readonly stop: Locator;
  readonly pause: Locator;
  readonly goOn: Locator;
  readonly send: Locator;
  /** Asks first. */
  readonly again: Locator;
  readonly yesAgain: Locator;
  readonly keep: Locator;
  readonly retry: Locator;
  readonly review: Locator;
  readonly live: Locator;
  /** Switches it off, and on again. */
  readonly sound: Locator;
  readonly file: Locator;
  /** What is said to those who don't see. */
  readonly announced: Locator;
  /** What the browser's recorders make. There once the page is open. */
  tape = new Tape();

  constructor(readonly page: Page) {
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    this.main = page.locator('main[data-state]');
    this.camera = button('Open camera');
    this.record = button('Record');
    this.stop = button('Stop');
    this.pause = button('Pause');
    this.goOn = button('Resume');
    this.send = button('Send this video');
    this.again = button('Record again');
    this.yesAgain = button('Delete and record again');
    this.keep = button('Keep this one');
    this.retry = button('Try again');
    this.review = this.part('review');
    this.live = this.part('live');
    this.announced = this.main.getByRole('status');
    // The field itself is hidden in its label.
    const shown = this.main.locator('label').filter({ visible: true });
    this.sound = page.getByText('Sound', { exact: true });
    this.file = shown.locator('[data-element=file-input]').first();
  }

  /** A new request, and its person at the camera. */
  static async invited(page: Page, vidence: Vidence): Promise<[Created, Witness]> {
    const created = await vidence.create();
    const witness = new Witness(page);
    await witness.open(created.submission_url);
    await witness.turnOnCamera();
    return [created, witness];
  }

  async open(url: string): Promise<void> {
    this.tape = await Tape.of(this.page);
    await this.page.goto(url);
  }

  /** Waits for the page to be in one of its states. */
  async is(state: string | RegExp): Promise<void> {
    await expect(this.main).toHaveAttribute('data-state', state);
  }

  /** What is shown of this part. */
  part(name: string): Locator {
    return this.main.locator(`[data-element=${name}]`).filter({ visible: true });
  }

  /** The button that does this. */
  does(deed: string): Locator {
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
    await this.camera.click();
    await this.is('preview');
  }

  /** Begins, without the countdown. */
  async begins(): Promise<void> {
    await this.record.click();
    // On a busy machine the countdown may be over before it is skipped.
    await this.does('skip-countdown')
      .click({ timeout: 2000 })
      .catch(() => {});
    await this.is('recording');
  }

  /** Records until the page itself shows so many seconds. */
  async recordFor(seconds: number): Promise<void> {
    await this.begins();
    await this.reaches(seconds);
  }

  async reaches(seconds: number, figure: 'recorded' | 'sent' = 'recorded'): Promise<void> {
    await expect.poll(() => this.seconds(figure), { timeout: 30_000 }).toBeGreaterThanOrEqual(seconds);
  }

  async stops(): Promise<void> {
    await this.stop.click();
    await this.is('review');
    await this.tape.ends();
  }

  async sends(): Promise<void> {
    await this.send.click();
    await this.is('submitted');
  }

  /** Waits until all of the take is on this device: it is shown before that. */
  async isKept(): Promise<void> {
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
  kept(): Promise<number> {
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
  async recordsAgain(): Promise<void> {
    await this.again.click();
    await this.is('confirming-discard');
    await this.yesAgain.click();
    await this.is('preview');
  }

  /** Waits for the review to know that it plays for longer than so many seconds; for how long it does. */
  async plays(longerThan: number): Promise<number> {
    // Browsers record WebM without a length, which is infinite until the page has looked for the end.
    const length = () =>
      this.review.evaluate(({ duration }: HTMLVideoElement) => (Number.isFinite(duration) ? duration : 0));
    await expect.poll(length).toBeGreaterThan(longerThan);
    return length();
  }
}
