// The camera in Firefox and in WebKit: a choice of several, and what doubles add to the engine's fake ones.
import { ANDROID, SEVERAL_CAMERAS, SIZES, expectSealedAs, test } from '../../support/browser/engine_test.ts';
import {
  THREE_BACK_CAMERAS,
  giveAbilities,
  replaceByHandheld,
  replaceCameras,
} from '../../support/device/camera_doubles.ts';
import { coverCamera, replaceByTurningCamera, turnCamera, uncoverCamera } from '../../support/device/canvas_camera.ts';
import { SLOW_ENGINE } from '../../support/page/tab_witness.ts';
import { expect } from '../../support/server/vidence.ts';

// One at a time: these engines encode in software, and two of them starve each other.
test.describe.configure({ mode: 'default', lock: 'software encoder' });

test('the chosen camera is used, and remembered after a reload', { tag: SEVERAL_CAMERAS }, async ({ witness, vidence }) => {
  const created = await vidence.createRequest();
  await witness.open(created.submission_url);
  await witness.turnOnCamera();
  const other = await witness.chooseAnotherCamera();
  await expect.poll(() => witness.activeCamera()).toBe(other);
  await witness.recordFor(1);
  await witness.stopRecording();
  await witness.waitForNotice('complete');
  await witness.tab.reload();
  await witness.waitForState('review');
  await witness.recordAgain();
  await expect.poll(() => witness.activeCamera()).toBe(other);
});

test('light and zoom are set by the page’s buttons, with a double of a camera that has both', async ({
  witness,
  vidence,
  doubles,
}) => {
  await giveAbilities(doubles, { torch: true, zoom: { min: 0.5, max: 8, step: 0.1 } });
  const created = await vidence.createRequest();
  await witness.open(doubles.url(`/r/${created.id}`));
  await witness.turnOnCamera();
  const isLit = async () => (await witness.cameraSettings()).torch;
  const zoom = async () => (await witness.cameraSettings()).zoom;
  expect([await isLit(), await zoom()]).toEqual([false, 1]);
  await witness.tab.press('Light');
  await expect.poll(isLit).toBe(true);
  await witness.tab.press('2×');
  await expect.poll(zoom).toBeCloseTo(2, 5);
  expect(await isLit()).toBe(true);
  await expect.poll(() => witness.pressedTools()).toEqual(['Light', '2×']);
  // While it is recorded, too.
  await witness.recordFor(1);
  await witness.tab.press('Light');
  await expect.poll(isLit).toBe(false);
  expect(await zoom()).toBeCloseTo(2, 5);
  await witness.stopRecording();
});

test('the main one of several back lenses is opened, and another can be chosen, with doubles of a phone and its cameras', { tag: ANDROID }, async ({
  witness,
  vidence,
  doubles,
}) => {
  await replaceByHandheld(doubles);
  await replaceCameras(doubles, THREE_BACK_CAMERAS);
  const created = await vidence.createRequest();
  await witness.open(doubles.url(`/r/${created.id}`));
  await witness.turnOnCamera();
  expect(await witness.activeCamera()).toBe('camera2 0, facing back');
  await witness.chooseLens('Camera 2');
  await expect.poll(() => witness.activeCamera()).toBe('camera2 2, facing back');
  await witness.recordFor(1);
  await witness.stopRecording();
  await witness.submit();
  await expectSealedAs(vidence, created, await witness.recordedBytes());
});

test('a covered camera is noticed until it is uncovered, with a double of it', async ({ witness, vidence, doubles }) => {
  await coverCamera(doubles);
  const created = await vidence.createRequest();
  await witness.open(doubles.url(`/r/${created.id}`));
  await witness.turnOnCamera();
  await witness.waitForNotice('dark');
  await uncoverCamera(witness.tab);
  await expect.poll(() => witness.isNoticeVisible('dark'), SLOW_ENGINE).toBe(false);
});

test('a recording whose frames change their size reaches the agent with all its bytes, with a double of a camera that is turned', { tag: SIZES }, async ({
  witness,
  vidence,
  doubles,
}) => {
  await replaceByTurningCamera(doubles);
  const created = await vidence.createRequest();
  await witness.open(doubles.url(`/r/${created.id}`));
  await witness.turnOnCamera();
  await expect.poll(() => witness.frameSize(), SLOW_ENGINE).toEqual([640, 360]);
  await witness.recordFor(4);
  await turnCamera(witness.tab);
  await expect.poll(() => witness.frameSize(), SLOW_ENGINE).toEqual([360, 640]);
  const turned = await witness.seconds();
  await witness.waitForSeconds(turned + 3);
  await witness.stopRecording();
  await witness.waitForDuration(turned + 1);
  await witness.submit();
  await expectSealedAs(vidence, created, await witness.recordedBytes());
});
