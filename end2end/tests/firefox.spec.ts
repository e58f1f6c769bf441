import { type Browser, type Page, launch } from 'puppeteer-core';
import { type Created, bare, expect } from './vidence.ts';

/** A fake camera, and nobody asks whether the page may have it. */
const CAMERA = { 'media.navigator.streams.fake': true, 'media.navigator.permission.disabled': true };

const test = bare.extend<{ firefox: Browser }>({
  firefox: async ({}, use) => {
    const firefox = await launch({
      browser: 'firefox',
      executablePath: process.env.VIDENCE_FIREFOX ?? '/usr/bin/firefox-esr',
      extraPrefsFirefox: CAMERA,
    });
    await use(firefox);
    await firefox.close();
  },
});

// One after the other: Firefox encodes by the processor, and two of them starve each other.
test.describe.configure({ mode: 'default' });

test('a person with Firefox records and sends, and the agent gets every byte', async ({ firefox, vidence }) => {
  const created = await vidence.create();
  const page = await visit(firefox, created);
  await press(page, 'Turn on the camera', 'preview');
  // On a busy machine the countdown is over before Firefox has found the button that cuts it short.
  await press(page, 'Record', 'recording');
  await expect.poll(() => seconds(page), { timeout: 30_000 }).toBeGreaterThanOrEqual(3);
  await press(page, 'Stop', 'review');
  const length = () => page.$eval('[data-part=review]', (video) => (video as HTMLVideoElement).duration || 0);
  await expect.poll(length).toBeGreaterThan(2);
  expect((await vidence.status(created)).status).toBe('awaiting_submission');
  await press(page, 'Send this video', 'sent');

  const recorded = Buffer.from(await page.evaluate(() => (window as any).recorded()), 'base64');
  const { video } = await vidence.status(created);
  expect(video.expires_at).toBe(created.expires_at);
  const sent = await vidence.download(created);
  expect(sent.subarray(-recorded.length).equals(recorded)).toBe(true);
  const { seen } = await vidence.facts(created);
  expect(seen.duration_ms).toBeGreaterThan(2000);
});

test('a reload in Firefox loses nothing that was recorded', async ({ firefox, vidence }) => {
  const created = await vidence.create();
  const page = await visit(firefox, created);
  await press(page, 'Turn on the camera', 'preview');
  await press(page, 'Record', 'recording');
  await expect.poll(() => seconds(page), { timeout: 30_000 }).toBeGreaterThanOrEqual(4);
  page.on('dialog', (dialog) => dialog.accept());
  await page.reload();
  await page.waitForSelector('main[data-state=review]');
  await press(page, 'Send this video', 'sent');
  const { seen } = await vidence.facts(created);
  expect(seen.duration_ms).toBeGreaterThan(2000);
});

async function visit(firefox: Browser, created: Created): Promise<Page> {
  const page = await firefox.newPage();
  await page.evaluateOnNewDocument(() => {
    const pieces: Blob[] = [];
    const start = MediaRecorder.prototype.start;
    MediaRecorder.prototype.start = function (...slice) {
      this.addEventListener('dataavailable', ({ data }) => pieces.push(data));
      return start.apply(this, slice);
    };
    const recorded = async () => {
      const reader = new FileReader();
      const read = new Promise((done) => (reader.onload = done));
      reader.readAsDataURL(new Blob(pieces));
      await read;
      return (reader.result as string).split(';base64,')[1];
    };
    Object.assign(window, { recorded });
  });
  await page.goto(created.submission_url);
  return page;
}

/** Presses a button as soon as it can be, and waits for what follows. */
async function press(page: Page, name: string, state?: string): Promise<void> {
  const button = page.locator(`::-p-aria([name="${name}"][role="button"])`);
  // For a box that stands still two frames are awaited, and Firefox paints none for seconds while it encodes.
  button.setWaitForStableBoundingBox(false);
  await button.filter((it) => !it.matches(':disabled, [aria-disabled=true]')).click();
  if (state) await page.waitForSelector(`main[data-state=${state}]`);
}

async function seconds(page: Page): Promise<number> {
  const text = await page.$eval('[role=timer]', (timer) => timer.textContent ?? '');
  return text.split(':').reduce((sum, part) => 60 * sum + Number(part), 0);
}
