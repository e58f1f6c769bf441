// A shared screen with its sound: mixed with the microphone, and all of it off at the end.
import type { Page } from '@playwright/test';
import { type Tones, endTabSound, readScreen, shareTones, suspendSound } from '../../support/device/screen_double.ts';
import { countAudioTracks, measureTones } from '../../support/device/tones.ts';
import { Witness } from '../../support/page/witness.ts';
import { type Created, type Vidence, expect, test } from '../../support/server/vidence.ts';

const [TAB, MICROPHONE] = [880, 2500];

/** Only in a recording that clips: its loudest harmonic. */
const CLIPPED = 3 * TAB;

/** Quieter than every tone that is there, and louder than what an encoder adds. */
const AUDIBLE = 0.05;

async function shareScreen(page: Page, vidence: Vidence, tones: Tones): Promise<[Created, Witness]> {
  await page.addInitScript(shareTones, tones);
  const created = await vidence.createRequest();
  const witness = new Witness(page);
  await witness.open(created.submission_url);
  await witness.otherWaysButton.click();
  await witness.action('share-screen').click();
  await witness.waitForState('preview');
  return [created, witness];
}

/** Records and submits, and returns how loud tab and microphone are in the last second, and what clipping adds. */
async function record(vidence: Vidence, created: Created, witness: Witness): Promise<number[]> {
  await witness.recordFor(3);
  return stop(vidence, created, witness);
}

async function stop(vidence: Vidence, created: Created, witness: Witness): Promise<number[]> {
  await witness.stopRecording();
  await witness.submit();
  const video = await vidence.download(created);
  expect(countAudioTracks(video)).toBe(1);
  return measureTones(video, [TAB, MICROPHONE, CLIPPED]);
}

test('the sound of a shared tab is mixed with the microphone, and all is off after Stop, with a double of the screen', async ({ page, vidence }) => {
  const [created, witness] = await shareScreen(page, vidence, { tab: TAB, microphone: MICROPHONE });
  // Both are at full scale.
  const [tab, microphone, clipped] = await record(vidence, created, witness);
  expect(tab).toBeGreaterThan(0.3);
  expect(microphone).toBeGreaterThan(0.3);
  expect(clipped).toBeLessThan(0.01);
  await expect(witness.notice('audio-lost')).toHaveCount(0);
  const { asked, live, contexts } = await page.evaluate(readScreen);
  expect(asked).toMatchObject([{ audio: { noiseSuppression: false }, systemAudio: 'include' }]);
  expect([live, contexts]).toEqual([[], 0]);
});

test('sound that the browser suspends during the recording is resumed, with a double of the screen', async ({ page, vidence }) => {
  const [created, witness] = await shareScreen(page, vidence, { tab: TAB, microphone: MICROPHONE });
  await witness.recordFor(1);
  await page.evaluate(suspendSound, false);
  await witness.waitForSeconds((await witness.seconds('recorded')) + 3);
  const [tab, microphone] = await stop(vidence, created, witness);
  expect(tab).toBeGreaterThan(AUDIBLE);
  expect(microphone).toBeGreaterThan(AUDIBLE);
});

test('the page says so where the browser suspends the sound for good, with a double of the screen', async ({ page, vidence }) => {
  const [, witness] = await shareScreen(page, vidence, { tab: TAB, microphone: MICROPHONE });
  await witness.recordFor(1);
  await page.evaluate(suspendSound, true);
  await expect(witness.notice('audio-lost').first()).toBeVisible();
  await expect(witness.liveRegion).toHaveText('Sound was lost. The video continues without it.');
});

test('the page says so when the sound of the tab ends, and records on, with a double of the screen', async ({ page, vidence }) => {
  const [created, witness] = await shareScreen(page, vidence, { tab: TAB, microphone: MICROPHONE });
  await witness.recordFor(1);
  await expect(witness.notice('audio-lost')).toHaveCount(0);
  await page.evaluate(endTabSound);
  await expect(witness.notice('audio-lost').first()).toBeVisible();
  await witness.waitForSeconds((await witness.seconds('recorded')) + 3);
  const [tab, microphone] = await stop(vidence, created, witness);
  expect(tab).toBeLessThan(AUDIBLE);
  expect(microphone).toBeGreaterThan(AUDIBLE);
});

test('a shared tab without sound is recorded with the microphone, with a double of the screen', async ({ page, vidence }) => {
  const [created, witness] = await shareScreen(page, vidence, { microphone: MICROPHONE });
  const [tab, microphone] = await record(vidence, created, witness);
  expect(tab).toBeLessThan(AUDIBLE);
  expect(microphone).toBeGreaterThan(AUDIBLE);
});

test('a shared tab is recorded with its sound where there is no microphone, with a double of the screen', async ({ page, vidence }) => {
  const [created, witness] = await shareScreen(page, vidence, { tab: TAB });
  await expect(witness.notice('no-audio')).toHaveCount(0);
  const missing = 'Only the screen’s sound, no microphone';
  await expect(witness.notice('no-microphone')).toHaveText(missing);
  await expect(witness.liveRegion).toContainText(missing);
  const [tab] = await record(vidence, created, witness);
  expect(tab).toBeGreaterThan(AUDIBLE);
});

test('sound that is switched off and on again before the recording is in it, with a double of the screen', async ({ page, vidence }) => {
  const [created, witness] = await shareScreen(page, vidence, { tab: TAB, microphone: MICROPHONE });
  await witness.soundSwitch.click();
  await expect(witness.notice('no-audio').first()).toBeVisible();
  // The tab stays shared, and the microphone is off.
  await expect.poll(async () => (await page.evaluate(readScreen)).live.sort()).toEqual(['audio', 'video']);
  await witness.soundSwitch.click();
  await expect(witness.notice('no-audio')).toHaveCount(0);
  const [tab, microphone] = await record(vidence, created, witness);
  expect(tab).toBeGreaterThan(AUDIBLE);
  expect(microphone).toBeGreaterThan(AUDIBLE);
  expect(await page.evaluate(readScreen)).toMatchObject({ live: [], contexts: 0 });
});

test('no sound is asked for where the person has switched it off, with a double of the screen', async ({ page, vidence }) => {
  const [, witness] = await shareScreen(page, vidence, { tab: TAB, microphone: MICROPHONE });
  await witness.soundSwitch.click();
  await expect(witness.notice('no-audio').first()).toBeVisible();
  await witness.action('close').click();
  await witness.waitForState('idle');
  await witness.otherWaysButton.click();
  await witness.action('share-screen').click();
  await witness.waitForState('preview');
  await expect(witness.notice('no-audio').first()).toBeVisible();
  const { asked, live } = await page.evaluate(readScreen);
  expect(asked).toMatchObject([{ audio: { noiseSuppression: false } }, { audio: false }]);
  expect(live).toEqual(['video']);
});

test('closing the screen before the recording switches all of it off, with a double of the screen', async ({ page, vidence }) => {
  const [, witness] = await shareScreen(page, vidence, { tab: TAB, microphone: MICROPHONE });
  await witness.action('close').click();
  await witness.waitForState('idle');
  await expect.poll(() => page.evaluate(readScreen)).toMatchObject({ live: [], contexts: 0 });
});

test('the focus stays with the page when a tab is shared, with a double of the screen', async ({ page, vidence }) => {
  await page.addInitScript(() => {
    const share = MediaDevices.prototype.getDisplayMedia;
    const { CaptureController } = window as any;
    const behave = CaptureController.prototype.setFocusBehavior;
    const behaviours = new Map<unknown, string>();
    CaptureController.prototype.setFocusBehavior = function (behaviour: string) {
      behaviours.set(this, behaviour);
      return behave.call(this, behaviour);
    };
    MediaDevices.prototype.getDisplayMedia = function (options: any) {
      Object.assign(window, { behaviour: behaviours.get(options.controller) });
      return share.call(this, options);
    };
  });
  const created = await vidence.createRequest();
  const witness = new Witness(page);
  await witness.open(created.submission_url);
  await witness.otherWaysButton.click();
  await witness.action('share-screen').click();
  await witness.waitForState('preview');
  expect(await page.evaluate(() => (window as any).behaviour)).toBe('no-focus-change');
});
