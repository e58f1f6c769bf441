// A tab that Chromium really shares, beside the doubles of `screen.spec.ts`. In its headless mode it has no sound.
import { FLAGS } from '../../support/browser/chromium.ts';
import { Witness } from '../../support/page/witness.ts';
import { expect, test } from '../../support/server/vidence.ts';

const TITLE = 'A tab to share';

test.use({
  permissions: ['microphone', 'camera'],
  launchOptions: {
    executablePath: process.env.VIDENCE_CHROMIUM ?? '/usr/bin/chromium',
    args: [...FLAGS, '--use-fake-device-for-media-stream', `--auto-select-tab-capture-source-by-title=${TITLE}`],
  },
});

test('a tab that Chromium really shares is recorded with the microphone', async ({ page, context, vidence }) => {
  const tab = await context.newPage();
  await tab.setContent(`<title>${TITLE}</title><h1>What the tab shows</h1>`);
  const created = await vidence.createRequest();
  const witness = new Witness(page);
  await witness.open(created.submission_url);
  await page.bringToFront();
  await witness.otherWaysButton.click();
  await witness.action('share-screen').click();
  await witness.waitForState('preview');
  const surface = () =>
    witness.liveVideo.evaluate((video: HTMLVideoElement) => {
      const [track] = (video.srcObject as MediaStream).getVideoTracks();
      return (track.getSettings() as any).displaySurface;
    });
  expect(await surface()).toBe('browser');
  await witness.recordFor(2);
  await witness.stopRecording();
  await witness.submit();
  expect((await vidence.fetchMetadata(created)).properties.has_audio).toBe(true);
});
