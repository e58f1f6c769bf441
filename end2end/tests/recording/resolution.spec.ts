// The video is as large as the device carries. The machines of the tests are slow and fast ones, so a double says which.
import { replaceByFastDevice } from '../../support/device/camera_doubles.ts';
import { Witness } from '../../support/page/witness.ts';
import { expect, test } from '../../support/server/vidence.ts';

/** Width of the frames that the camera delivers. Undefined while it is being replaced. */
const width = (witness: Witness) =>
  witness.liveVideo.evaluate((video: HTMLVideoElement) => {
    const shown = video.srcObject as MediaStream | null;
    return shown?.getVideoTracks()[0]?.getSettings().width;
  });

test('a preview that drops frames is reduced before the recording, with a double of a fast device', async ({
  page,
  vidence,
}) => {
  await page.addInitScript(() => {
    const Real = MediaRecorder;
    const asked: number[] = ((window as any).asked = []);
    globalThis.MediaRecorder = class extends Real {
      constructor(stream: MediaStream, options?: MediaRecorderOptions) {
        super(stream, options);
        asked.push(options!.videoBitsPerSecond!);
      }
    };
  });
  const bitrates = () => page.evaluate(() => (window as any).asked as number[]);
  const stutter = await replaceByFastDevice(page);
  const [, witness] = await Witness.openAtCamera(page, vidence);
  await expect.poll(() => width(witness)).toBe(1920);
  await witness.recordFor(1);
  await witness.stopRecording();
  expect(await bitrates()).toEqual([5_000_000]);
  await witness.recordAgain();
  await expect.poll(() => width(witness)).toBe(1920);
  await stutter();
  // It takes several samples, of two seconds or more each.
  await expect.poll(() => width(witness), { timeout: 40_000 }).toBe(1280);
  const shown = () => witness.liveVideo.evaluate((video: HTMLVideoElement) => video.videoWidth);
  await expect.poll(shown, { timeout: 40_000 }).toBe(1280);
  await witness.recordFor(1);
  await witness.stopRecording();
  expect(await bitrates()).toEqual([5_000_000, 2_500_000]);
  // What is recorded, and not only what is shown.
  const played = () => witness.reviewVideo.evaluate((video: HTMLVideoElement) => video.videoWidth);
  await expect.poll(played).toBe(1280);
});
