// The requester: drives the console on the home page.
import { type FrameLocator, type Locator, type Page, expect } from '@playwright/test';
import type { Created, Vidence } from '../server/vidence.ts';
import { Witness } from './witness.ts';

export const PROMPT = 'Show the dent in the door, then the number plate.';

export class Requester {
  readonly prompt: Locator;
  readonly createButton: Locator;
  readonly heading: Locator;
  readonly player: FrameLocator;
  readonly video: Locator;

  constructor(readonly page: Page) {
    this.prompt = page.getByLabel('What should the video show?');
    this.createButton = page.getByRole('button', { name: 'Create the link' });
    this.heading = page.locator('.request-header__heading');
    this.player = page.frameLocator('iframe[title="The submitted video"]');
    this.video = this.player.getByLabel('The submitted video');
  }

  /** Creates a request with the console at this address, and returns what it shows. */
  async createRequest(url: string, prompt = PROMPT): Promise<Created> {
    await this.page.goto(url);
    await expect(this.createButton).toBeEnabled();
    await this.prompt.fill(prompt);
    await this.createButton.click();
    await expect(this.heading).toHaveText('Waiting for the video');
    return this.readIssuedRequest();
  }

  /** Opens a request that was created elsewhere, by its link and its token, in the console at this address. */
  async reopenRequest(url: string, created: Created): Promise<void> {
    await this.page.goto(url);
    await this.page.getByText('Open a request that you have made before').click();
    await this.page.getByLabel('Its link').fill(created.submission_url);
    await this.page.getByLabel('Its token').fill(created.access_token);
    await this.page.getByRole('button', { name: 'Open it' }).click();
  }

  /** Reads link and token from the page. */
  async readIssuedRequest(): Promise<Created> {
    const link = this.page.getByRole('region', { name: 'Send this link' }).getByRole('link', { name: '/r/' });
    const submission_url = (await link.getAttribute('href'))!;
    const access_token = await this.readToken();
    const id = submission_url.split('/').pop()!;
    return { id, submission_url, access_token, status: 'awaiting_submission', expires_at: '' };
  }

  async readToken(): Promise<string> {
    return (await this.page.getByRole('region', { name: 'Keep this token' }).locator('code').textContent())!;
  }

  /** Opens the link in another page, records, and submits. */
  async recordAsWitness(created: Created, seconds: number): Promise<void> {
    const witness = new Witness(await this.page.context().newPage());
    await witness.open(created.submission_url);
    await witness.turnOnCamera();
    await witness.recordFor(seconds);
    await witness.stopRecording();
    await witness.submit();
    await witness.page.close();
  }

  /** Waits until the player knows its video, and returns the duration. */
  async waitForDuration(): Promise<number> {
    await expect(this.heading).toHaveText('The video is here');
    const duration = () => this.video.evaluate((video: HTMLVideoElement) => video.duration || 0);
    await expect.poll(duration).toBeGreaterThan(0);
    return duration();
  }

  /** Seeks to a moment, and returns where the player is and the picture that it shows. */
  async seek(to: number): Promise<{ at: number; picture: string }> {
    return this.video.evaluate(async (video: HTMLVideoElement, to) => {
      const sought = new Promise((done, failed) => {
        video.addEventListener('seeked', done, { once: true });
        video.addEventListener('error', () => failed(new Error(video.error?.message)), { once: true });
      });
      video.currentTime = to;
      await sought;
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [video.videoWidth, video.videoHeight];
      canvas.getContext('2d')!.drawImage(video, 0, 0);
      return { at: video.currentTime, picture: canvas.toDataURL() };
    }, to);
  }

  async deleteRequest(): Promise<void> {
    await this.page.getByRole('button', { name: 'Delete…' }).click();
    await this.page.getByRole('button', { name: 'Delete for good' }).click();
    await expect(this.heading).toHaveText('Deleted');
  }
}

/** Uploads and submits a video without a browser. */
export async function submitVideo(
  vidence: Vidence,
  created: Created,
  video: Buffer,
  ticks: { line: number; at_ms: number }[] = [],
): Promise<void> {
  const creation = await fetch(vidence.url(`/r/${created.id}/takes`), {
    method: 'POST',
    headers: { 'Content-Type': 'video/webm' },
    body: new Uint8Array(video),
  });
  expect(creation.status).toBe(201);
  const take = creation.headers.get('location')!.split('/').pop();
  const submitted = await fetch(vidence.url(`/r/${created.id}/submission`), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ take, ticks, may_transcribe: true }),
  });
  expect(submitted.status).toBe(200);
}
