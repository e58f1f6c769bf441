// Faults of cameras, microphones, clocks and tabs. Each changes what the browser gives the page, most of them before the
// page’s scripts run.
import type { Page } from '@playwright/test';

/** The camera is in use by another program for the first half second after it is asked for. */
export const cameraBusyOnce = (page: Page) =>
  page.addInitScript(() => {
    const real = MediaDevices.prototype.getUserMedia;
    let refused = false;
    MediaDevices.prototype.getUserMedia = function (constraints) {
      // Pages ask again with fewer constraints before they give up.
      const first = !refused;
      if (first) setTimeout(() => (refused = true), 500);
      return first
        ? Promise.reject(new DOMException('Could not start video source', 'NotReadableError'))
        : real.call(this, constraints);
    };
  });

/** There is a camera, and no microphone. */
export const removeMicrophone = (page: Page) =>
  page.addInitScript(() => {
    const { getUserMedia, enumerateDevices } = MediaDevices.prototype;
    MediaDevices.prototype.getUserMedia = async function (constraints) {
      if (constraints?.audio) throw new DOMException('Requested device not found', 'NotFoundError');
      return getUserMedia.call(this, constraints);
    };
    MediaDevices.prototype.enumerateDevices = async function () {
      return (await enumerateDevices.call(this)).filter((it) => it.kind !== 'audioinput');
    };
  });

/** The microphone delivers silence. */
export const silenceMicrophone = (page: Page) => replaceMicrophone(page, false);

/** The microphone delivers a steady tone. Chromium's fake one beeps too briefly for the page's samples. */
export const humIntoMicrophone = (page: Page) => replaceMicrophone(page, true);

const replaceMicrophone = (page: Page, hums: boolean) =>
  page.addInitScript((hums) => {
    const real = MediaDevices.prototype.getUserMedia;
    MediaDevices.prototype.getUserMedia = async function (constraints) {
      const stream = await real.call(this, constraints);
      for (const track of stream.getAudioTracks()) {
        stream.removeTrack(track);
        track.stop();
        const context = new AudioContext();
        const heard = context.createMediaStreamDestination();
        if (hums) {
          const tone = context.createOscillator();
          tone.connect(heard);
          tone.start();
        }
        stream.addTrack(heard.stream.getAudioTracks()[0]);
      }
      return stream;
    };
  }, hums);

/**
 * Remembers the tracks of cameras and microphones, for `unplugCamera` and `unplugMicrophone`. A clone of a track keeps the
 * camera on as well.
 */
export const trackDevices = (page: Page) =>
  page.addInitScript(() => {
    const { clone } = MediaStreamTrack.prototype;
    MediaStreamTrack.prototype.clone = function () {
      const track = clone.call(this);
      (window as any)[track.kind === 'video' ? 'pictures' : 'sounds'].push(track);
      return track;
    };
    for (const source of ['getUserMedia', 'getDisplayMedia'] as const) {
      const real = MediaDevices.prototype[source];
      MediaDevices.prototype[source] = async function (constraints) {
        const stream = await real.call(this, constraints);
        // A screen's video and the microphone are requested one after the other.
        const known = window as any;
        known.pictures = [...(known.pictures ?? []), ...stream.getVideoTracks()];
        known.sounds = [...(known.sounds ?? []), ...stream.getAudioTracks()];
        return stream;
      };
    }
  });

/** Whether all cameras are off that were on. Needs `trackDevices`. */
export const camerasAreOff = (page: Page) =>
  page.evaluate(() => {
    const pictures = (window as any).pictures as MediaStreamTrack[];
    return pictures.length > 0 && pictures.every((it) => it.readyState === 'ended');
  });

/** Whether cameras and microphones are off. Needs `trackDevices`. */
export const devicesAreOff = (page: Page) =>
  page.evaluate(() => {
    const { pictures, sounds } = window as any as Record<string, MediaStreamTrack[]>;
    return [...pictures!, ...sounds!].every((it) => it.readyState === 'ended');
  });

/** Ends the video tracks, as when a camera is unplugged. Needs `trackDevices`. */
export const unplugCamera = (page: Page) =>
  page.evaluate(() => {
    for (const track of (window as any).pictures as MediaStreamTrack[]) {
      track.stop();
      // The browser fires it only for tracks that the page didn't stop itself.
      track.dispatchEvent(new Event('ended'));
    }
  });

/** The clock is this many hours ahead, or behind if negative. */
export const shiftClock = (page: Page, hours: number) =>
  page.addInitScript((ahead) => {
    const Real = Date;
    globalThis.Date = class extends Real {
      constructor(...when: any[]) {
        super(...((when.length > 0 ? when : [Real.now() + ahead]) as [number]));
      }

      static now() {
        return Real.now() + ahead;
      }
    } as DateConstructor;
  }, hours * 3_600_000);

/** The server says that it is this many hours later. */
export const shiftServerTime = (page: Page, hours: number) =>
  page.route('**/r/*', async (route) => {
    const response = await route.fetch();
    const later = (now: string) => new Date(Date.parse(now) + hours * 3_600_000).toISOString();
    const body = (await response.text()).replace(/(?<=data-now=")[^"]+/, later);
    await route.fulfill({ response, body });
  });

/** The Web Locks API is denied, as where a site may store nothing. */
export const denyLocks = (page: Page) =>
  page.addInitScript(() => {
    LockManager.prototype.request = () => Promise.reject(new DOMException('Access is denied', 'SecurityError'));
  });

/** MediaRecorder delivers the first byte of a file, as Chromium may, and nothing else. */
export const deliverOneByte = (page: Page) =>
  page.addInitScript(() => {
    const real = Object.getOwnPropertyDescriptor(BlobEvent.prototype, 'data')!.get!;
    let first: Event | undefined;
    Object.defineProperty(BlobEvent.prototype, 'data', {
      get() {
        first ??= this;
        const data: Blob = real.call(this);
        return data.slice(0, this === first ? 1 : 0, data.type);
      },
    });
  });

/** Ends the audio tracks, as when a headset’s battery is empty. Needs `trackDevices`. */
export const unplugMicrophone = (page: Page) =>
  page.evaluate(() => {
    for (const track of (window as any).sounds as MediaStreamTrack[]) {
      track.stop();
      track.dispatchEvent(new Event('ended'));
    }
  });

/** Grants only these constraints for cameras and microphones. Returns a function that reads the granted ones. */
export const grantOnly = async (page: Page, granted: (asked: MediaStreamConstraints) => boolean) => {
  await page.addInitScript(`(() => {
    const granted = ${granted};
    const real = MediaDevices.prototype.getUserMedia;
    window.constraints = [];
    MediaDevices.prototype.getUserMedia = async function (asked) {
      if (!granted(asked)) throw new DOMException('Could not start audio source', 'NotReadableError');
      window.constraints.push(JSON.parse(JSON.stringify(asked)));
      return real.call(this, asked);
    };
  })()`);
  return () => page.evaluate(() => (window as any).constraints as MediaStreamConstraints[]);
};

/** Blocks the main thread of the page for this many milliseconds, as an open dialog does. */
export const blockPage = (page: Page, milliseconds: number) =>
  page.evaluate((milliseconds) => {
    const until = performance.now() + milliseconds;
    while (performance.now() < until);
  }, milliseconds);

/** The tab doesn't learn that another one has taken over, as while it is frozen. */
export const ignoreTakeover = (page: Page) =>
  page.addInitScript(() => {
    const real = LockManager.prototype.request;
    LockManager.prototype.request = function (this: LockManager, ...what: any[]) {
      const held = real.apply(this, what as any);
      return held.catch(() => new Promise(() => {}));
    } as typeof real;
  });

/** Lets the device block the camera, as during a call, or allow it again: a double, whose tracks only say so. */
export const blockCamera = (page: Page, isBlocked = true) => muteTracks(page, isBlocked ? 'video' : '');

/** Lets the device take the microphone, as for a call, or give it back: a double, whose tracks only say so. */
export const takeMicrophone = (page: Page, isTaken = true) => muteTracks(page, isTaken ? 'audio' : '');

const muteTracks = (page: Page, muted: string) =>
  page.evaluate((muted) => {
    const get = function (this: MediaStreamTrack) {
      return this.kind === muted;
    };
    Object.defineProperty(MediaStreamTrack.prototype, 'muted', { get, configurable: true });
  }, muted);
