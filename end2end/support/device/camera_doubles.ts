// Doubles of a phone's cameras, on top of the fake cameras of the engine, which have neither light nor zoom nor sides. They
// change what the browser gives the page before the page's scripts run.
import type { Page } from '@playwright/test';
import type { InitScripts } from '../browser/tab.ts';

/** What `getCapabilities` tells of a camera beside sizes. */
export interface Abilities {
  torch?: boolean;
  zoom?: { min: number; max: number; step: number };
  focusMode?: string[];
}

/** One set of constraints that the page has applied, without those that it left undefined. */
export interface Applied {
  torch?: boolean;
  zoom?: number;
  pointsOfInterest?: { x: number; y: number }[];
  focusMode?: string;
}

/** Gives all cameras these abilities. Each request takes a while, as on a phone. */
export const giveAbilities = (page: InitScripts, abilities: Abilities) =>
  page.addInitScript((abilities: Abilities) => {
    const { getCapabilities, getSettings, applyConstraints } = MediaStreamTrack.prototype;
    const known = window as any;
    known.applied = [];
    known.underWay = known.mostUnderWay = 0;
    const states = new WeakMap<MediaStreamTrack, any>();
    const stateOf = (track: MediaStreamTrack) => {
      const initial = { ...(abilities.torch && { torch: false }), ...(abilities.zoom && { zoom: 1 }) };
      if (!states.has(track)) states.set(track, initial);
      return states.get(track);
    };
    const isCamera = (track: MediaStreamTrack) => track.kind === 'video';
    MediaStreamTrack.prototype.getCapabilities = function () {
      return { ...getCapabilities.call(this), ...(isCamera(this) && abilities) };
    };
    MediaStreamTrack.prototype.getSettings = function () {
      return { ...getSettings.call(this), ...(isCamera(this) && stateOf(this)) };
    };
    MediaStreamTrack.prototype.applyConstraints = async function (constraints) {
      const [asked] = (constraints?.advanced ?? []) as any[];
      if (!asked) return applyConstraints.call(this, constraints);
      const given = JSON.parse(JSON.stringify(asked));
      known.applied.push(given);
      known.mostUnderWay = Math.max(known.mostUnderWay, ++known.underWay);
      await new Promise((done) => setTimeout(done, 100));
      known.underWay--;
      const { torch, zoom } = given;
      Object.assign(stateOf(this), torch !== undefined && { torch }, zoom !== undefined && { zoom });
    };
  }, abilities);

/** What the page has applied so far. Needs `giveAbilities`. */
export const readApplied = (page: Page) => page.evaluate(() => (window as any).applied as Applied[]);

/** How many requests to the camera were under way at once, at most. Needs `giveAbilities`. */
export const mostUnderWay = (page: Page) => page.evaluate(() => (window as any).mostUnderWay as number);

/** A camera of a phone: its label is its id, too. */
export interface PhoneCamera {
  label: string;
  facing: 'user' | 'environment';
  /** It can't be opened. */
  isBroken?: boolean;
}

/** Chrome's order on a phone with three back cameras: it opens the telephoto one. */
export const THREE_BACK_CAMERAS: PhoneCamera[] = [
  { label: 'camera2 1, facing front', facing: 'user' },
  { label: 'camera2 3, facing back', facing: 'environment' },
  { label: 'camera2 2, facing back', facing: 'environment' },
  { label: 'camera2 0, facing back', facing: 'environment' },
];

/** The phone has these cameras. Asked for a side, the browser opens the first one at that side. */
export const replaceCameras = (page: InitScripts, cameras: PhoneCamera[]) =>
  page.addInitScript((cameras: PhoneCamera[]) => {
    const { getUserMedia, enumerateDevices } = MediaDevices.prototype;
    const { getSettings } = MediaStreamTrack.prototype;
    const opened: string[] = ((window as any).opened = []);
    const shown = new WeakMap<MediaStreamTrack, PhoneCamera>();
    MediaDevices.prototype.enumerateDevices = async function () {
      const others = (await enumerateDevices.call(this)).filter((it) => it.kind !== 'videoinput');
      const own = cameras.map(({ label }) => ({ kind: 'videoinput', label, deviceId: label, groupId: label }));
      return [...others, ...own] as MediaDeviceInfo[];
    };
    MediaDevices.prototype.getUserMedia = async function (constraints) {
      const video = constraints?.video as any;
      if (!video) return getUserMedia.call(this, constraints);
      const id = video.deviceId?.exact;
      const camera = cameras.find((it) => (id ? it.label === id : it.facing === video.facingMode.ideal));
      if (!camera) throw new DOMException('Requested device not found', 'NotFoundError');
      if (camera.isBroken) throw new DOMException('Could not start video source', 'NotReadableError');
      const { deviceId: _, facingMode: __, ...rest } = video;
      const stream = await getUserMedia.call(this, { ...constraints, video: rest });
      for (const track of stream.getVideoTracks()) shown.set(track, camera);
      opened.push(camera.label);
      return stream;
    };
    MediaStreamTrack.prototype.getSettings = function () {
      const camera = shown.get(this);
      const own = camera && { deviceId: camera.label, facingMode: camera.facing };
      return { ...getSettings.call(this), ...own };
    };
  }, cameras);

/** The labels of the cameras that were opened. Needs `replaceCameras`. */
export const openedCameras = (page: Page) => page.evaluate(() => (window as any).opened as string[]);

/** The main pointer is a finger, as on a phone. */
export const replaceByHandheld = (page: InitScripts) =>
  page.addInitScript(() => {
    const real = window.matchMedia;
    window.matchMedia = (query) => {
      const answer = real.call(window, query);
      return query === '(pointer: coarse)' ? Object.defineProperty(answer, 'matches', { value: true }) : answer;
    };
  });

/**
 * A device with eight cores, on a connection of which Chromium has measured nothing. Returns a function that makes the preview drop
 * half of its frames from then on.
 */
export const replaceByFastDevice = async (page: Page) => {
  await page.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, 'hardwareConcurrency', { get: () => 8 });
    // What it reports of an Ethernet then.
    Object.defineProperty(Navigator.prototype, 'connection', { get: () => ({ downlink: 1.45 }) });
    const since = performance.now();
    HTMLVideoElement.prototype.getVideoPlaybackQuality = () => {
      const totalVideoFrames = Math.floor((performance.now() - since) / 33);
      const droppedVideoFrames = (window as any).stutters ? Math.floor(totalVideoFrames / 2) : 0;
      return { totalVideoFrames, droppedVideoFrames } as VideoPlaybackQuality;
    };
  });
  return () => page.evaluate(() => ((window as any).stutters = true));
};

/** MediaRecorder hands out what it has after a stop in as many pieces, with this pause before each, in seconds. */
export const handOutSlowly = (page: Page, pieces: number, pause: number) =>
  page.addInitScript(
    ([pieces, pause]) => {
      const { stop } = MediaRecorder.prototype;
      const wait = () => new Promise((done) => setTimeout(done, pause * 1000));
      MediaRecorder.prototype.stop = function () {
        const deliver = { data: this.ondataavailable, stop: this.onstop };
        const held: Blob[] = [];
        this.ondataavailable = (event) => held.push(event.data);
        this.onstop = async () => {
          const all = new Blob(held, { type: this.mimeType });
          const size = Math.ceil(all.size / pieces);
          for (let at = 0; at < pieces; at++) {
            await wait();
            const data = all.slice(at * size, (at + 1) * size, all.type);
            deliver.data?.call(this, new BlobEvent('dataavailable', { data }));
          }
          // A browser that never reports that it has stopped.
        };
        stop.call(this);
      };
    },
    [pieces, pause] as const,
  );

/** From now on MediaRecorder hands out empty pieces only, as WebKit's does after its process for media has died. */
export const handOutNothing = (page: Page) =>
  page.evaluate(() => {
    Object.defineProperty(BlobEvent.prototype, 'data', { get: () => new Blob() });
  });
