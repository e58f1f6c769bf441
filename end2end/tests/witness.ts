// The person with the link.
import { type Locator, type Page, expect } from '@playwright/test';
import type { Created, Vidence } from './vidence.ts';

export class Witness {
  readonly record: Locator;
  readonly stop: Locator;
  readonly send: Locator;
  readonly again: Locator;
  readonly timer: Locator;
  readonly review: Locator;

  constructor(readonly page: Page) {
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    this.record = button('Record');
    this.stop = button('Stop');
    this.send = button('Send this video');
    this.again = button('Record again');
    this.timer = page.getByRole('timer');
    this.review = page.getByLabel('Your recording');
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
    // Keeps each recording that the page makes, so that a test can compare it with what arrives.
    await this.page.addInitScript(() => {
      const create = URL.createObjectURL.bind(URL);
      URL.createObjectURL = (object) => {
        (window as any).recorded = object;
        return create(object);
      };
    });
    await this.page.goto(url);
  }

  async turnOnCamera(): Promise<void> {
    await this.page.getByRole('button', { name: 'Turn on the camera' }).click();
    await expect(this.record).toBeVisible();
  }

  /** Records until the page's own timer shows so many seconds. */
  async recordFor(seconds: number): Promise<void> {
    await this.record.click();
    await this.reaches(seconds);
  }

  async reaches(seconds: number): Promise<void> {
    await expect
      .poll(async () => Number((await this.timer.textContent())?.split(':')[1]), { timeout: 30_000 })
      .toBeGreaterThanOrEqual(seconds);
  }

  /** The bytes of the last recording, as the browser made them. */
  async recorded(): Promise<Buffer> {
    const base64 = await this.page.evaluate(async () => {
      const reader = new FileReader();
      const read = new Promise((done) => (reader.onload = done));
      reader.readAsDataURL((window as any).recorded);
      await read;
      return (reader.result as string).split(';base64,')[1];
    });
    return Buffer.from(base64, 'base64');
  }
}
