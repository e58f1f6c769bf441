// Cameras, microphones, clocks and stores that behave as real ones sometimes do. Each changes what a page gets
// from the browser, before its own scripts run.
import type { Page } from '@playwright/test';

/** The first time, another program has the camera. */
export const cameraBusyOnce = (page: Page) =>
  page.addInitScript(() => {
    const real = MediaDevices.prototype.getUserMedia;
    let refused = false;
    MediaDevices.prototype.getUserMedia = function (wishes) {
      // Pages ask again with smaller wishes before they give up.
      const first = !refused;
      if (first) setTimeout(() => (refused = true), 500);
      return first
        ? Promise.reject(new DOMException('Could not start video source', 'NotReadableError'))
        : real.call(this, wishes);
    };
  });

/** There is a camera, and no microphone. */
export const removeMicrophone = (page: Page) =>
  page.addInitScript(() => {
    const { getUserMedia, enumerateDevices } = MediaDevices.prototype;
    MediaDevices.prototype.getUserMedia = async function (wishes) {
      if (wishes?.audio) throw new DOMException('Requested device not found', 'NotFoundError');
      return getUserMedia.call(this, wishes);
    };
    MediaDevices.prototype.enumerateDevices = async function () {
      return (await enumerateDevices.call(this)).filter((it) => it.kind !== 'audioinput');
    };
  });

/** The microphone hears nothing. */
export const silenceMicrophone = (page: Page) => replaceMicrophone(page, false);

/** Somebody hums. Chromium's own microphone beeps for a shorter time than the page's looks at it are apart. */
export const humIntoMicrophone = (page: Page) => replaceMicrophone(page, true);

const replaceMicrophone = (page: Page, hums: boolean) =>
  page.addInitScript((hums) => {
    const real = MediaDevices.prototype.getUserMedia;
    MediaDevices.prototype.getUserMedia = async function (wishes) {
      const stream = await real.call(this, wishes);
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

/** A finger lies on the camera. */
export const coverCamera = (page: Page) => replaceCamera(page, 'black', 'black');

/** The camera looks at the person, and sees one colour on its left and another one on its right. */
export const replaceByFrontCamera = (page: Page, left: string, right: string) => replaceCamera(page, left, right, 'user');

const replaceCamera = (page: Page, left: string, right: string, facingMode?: string) =>
  page.addInitScript(
    ([left, right, facingMode]) => {
      const real = MediaDevices.prototype.getUserMedia;
      MediaDevices.prototype.getUserMedia = async function (wishes) {
        const stream = await real.call(this, wishes);
        for (const track of stream.getVideoTracks()) {
          stream.removeTrack(track);
          track.stop();
          const canvas = document.createElement('canvas');
          [canvas.width, canvas.height] = [640, 480];
          const brush = canvas.getContext('2d')!;
          const paint = () => {
            for (const [x, colour] of [left, right].entries()) {
              brush.fillStyle = colour!;
              brush.fillRect(320 * x, 0, 320, 480);
            }
          };
          // A canvas that isn't painted gives no pictures.
          setInterval(paint, 100);
          const seen = canvas.captureStream(10).getVideoTracks()[0];
          const settings = seen.getSettings.bind(seen);
          if (facingMode) seen.getSettings = () => ({ ...settings(), facingMode });
          stream.addTrack(seen);
        }
        return stream;
      };
    },
    [left, right, facingMode] as const,
  );

/** A camera that `pull` can pull, and a microphone that can be lost. */
export const trackDevices = (page: Page) =>
  page.addInitScript(() => {
    for (const source of ['getUserMedia', 'getDisplayMedia'] as const) {
      const real = MediaDevices.prototype[source];
      MediaDevices.prototype[source] = async function (wishes) {
        const stream = await real.call(this, wishes);
        // A screen's picture and its sound are asked for one after the other.
        const known = window as any;
        known.pictures = [...(known.pictures ?? []), ...stream.getVideoTracks()];
        known.sounds = [...(known.sounds ?? []), ...stream.getAudioTracks()];
        return stream;
      };
    }
  });

/** What the browser tells a page whose camera is gone. */
export const unplugCamera = (page: Page) =>
  page.evaluate(() => {
    for (const track of (window as any).pictures as MediaStreamTrack[]) {
      track.stop();
      // The browser says it only of what the page didn't stop itself.
      track.dispatchEvent(new Event('ended'));
    }
  });

/** The clock is wrong by so many hours: ahead, or behind where they are negative. */
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

/** The server says that it is so many hours later. */
export const shiftServerTime = (page: Page, hours: number) =>
  page.route('**/r/*', async (route) => {
    const response = await route.fetch();
    const later = (now: string) => new Date(Date.parse(now) + hours * 3_600_000).toISOString();
    const body = (await response.text()).replace(/(?<=data-now=")[^"]+/, later);
    await route.fulfill({ response, body });
  });

/** A site may have no locks, as where it may keep nothing. */
export const denyLocks = (page: Page) =>
  page.addInitScript(() => {
    LockManager.prototype.request = () => Promise.reject(new DOMException('Access is denied', 'SecurityError'));
  });

/** Which pieces of recordings are kept can't be read. */
export const failToReadPieces = (page: Page) =>
  page.addInitScript(() => {
    const real = IDBObjectStore.prototype.getAllKeys;
    IDBObjectStore.prototype.getAllKeys = function (...which) {
      const reading = real.apply(this, which);
      if (this.name === 'pieces') this.transaction.abort();
      return reading;
    };
  });

/** What is known of a recording can't be stored. */
export const failToStoreTakes = (page: Page) =>
  page.addInitScript(() => {
    const real = IDBObjectStore.prototype.put;
    IDBObjectStore.prototype.put = function (...what) {
      const putting = real.apply(this, what);
      if (this.name === 'takes') this.transaction.abort();
      return putting;
    };
  });

/** There is room for so many pieces of recordings; a device that is `crammed` takes nothing else, either, then. */
export const limitStoredPieces = (page: Page, pieces: number, crammed = false) =>
  page.addInitScript(
    ([pieces, crammed]) => {
      const refuse = (transaction: IDBTransaction) => {
        // Who calls `abort` gives no reason; a browser that is full does.
        const error = new DOMException('The device is full', 'QuotaExceededError');
        Object.defineProperty(transaction, 'error', { value: error });
        transaction.abort();
      };
      let full = false;
      const real = IDBObjectStore.prototype.put;
      IDBObjectStore.prototype.put = function (...what) {
        const putting = real.apply(this, what);
        if (this.name === 'pieces') {
          const counting = this.count();
          counting.onsuccess = () => {
            full = counting.result > pieces;
            if (full) refuse(this.transaction);
          };
        } else if (full && crammed) {
          refuse(this.transaction);
        }
        return putting;
      };
    },
    [pieces, crammed] as const,
  );

/** A recorder that hands out a file's first byte, as Chromium's may, and no more. */
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

/** The browser loses this piece of whatever it keeps, counted from 0. */
export const losePiece = (page: Page, number: number) =>
  page.evaluate(async (number) => {
    const done = (request: IDBRequest) =>
      new Promise<any>((good, bad) => {
        request.onsuccess = () => good(request.result);
        request.onerror = () => bad(request.error);
      });
    const database = await done(indexedDB.open('vidence'));
    const pieces = database.transaction('pieces', 'readwrite').objectStore('pieces');
    const keys: IDBValidKey[] = await done(pieces.getAllKeys());
    const lost = keys.filter((key) => (key as unknown[])[1] === number);
    if (lost.length !== 1) throw new Error(`there is no piece ${number}`);
    await done(pieces.delete(lost[0]));
    database.close();
  }, number);

/** The microphone is gone, as when a headset's battery is empty. */
export const unplugMicrophone = (page: Page) =>
  page.evaluate(() => {
    for (const track of (window as any).sounds as MediaStreamTrack[]) {
      track.stop();
      track.dispatchEvent(new Event('ended'));
    }
  });

/** Only some wishes for cameras and microphones are granted. Returns what tells the granted ones. */
export const grantOnly = async (page: Page, granted: (wish: MediaStreamConstraints) => boolean) => {
  await page.addInitScript(`(() => {
    const granted = ${granted};
    const real = MediaDevices.prototype.getUserMedia;
    window.wishes = [];
    MediaDevices.prototype.getUserMedia = async function (wish) {
      if (!granted(wish)) throw new DOMException('Could not start audio source', 'NotReadableError');
      window.wishes.push(JSON.parse(JSON.stringify(wish)));
      return real.call(this, wish);
    };
  })()`);
  return () => page.evaluate(() => (window as any).wishes as MediaStreamConstraints[]);
};

/** Nothing of the page runs for so many milliseconds, as while a dialog is open. */
export const blockPage = (page: Page, milliseconds: number) =>
  page.evaluate((milliseconds) => {
    const until = performance.now() + milliseconds;
    while (performance.now() < until);
  }, milliseconds);

/** A store that the browser can close behind the page's back. Returns what does that. */
export const exposeDatabase = async (page: Page) => {
  await page.addInitScript(() => {
    const real = IDBDatabase.prototype.transaction;
    IDBDatabase.prototype.transaction = function (...wanted) {
      (window as any).store = this;
      return real.apply(this, wanted);
    };
  });
  return () => page.evaluate(() => (window as any).store.close());
};

/** Nothing that is asked of the store is answered. */
export const silenceDatabase = (page: Page) =>
  page.addInitScript(() => {
    IDBObjectStore.prototype.get = () => new EventTarget() as IDBRequest;
  });

/** A tab that isn't told when another one has taken over, as while it is frozen. */
export const ignoreTakeover = (page: Page) =>
  page.addInitScript(() => {
    const real = LockManager.prototype.request;
    LockManager.prototype.request = function (this: LockManager, ...what: any[]) {
      const held = real.apply(this, what as any);
      return held.catch(() => new Promise(() => {}));
    } as typeof real;
  });

/** Waits until all has been stored that was to be stored so far. */
export const waitForStoredWrites = (page: Page) => withPieces(page, () => {});

/** Keeps a piece that belongs to no recording. */
export const storeStrayPiece = (page: Page) => withPieces(page, (pieces) => pieces.put(new ArrayBuffer(1), ['stray', 0, 0, '']));

/** Whether it is there. */
export const hasStrayPiece = async (page: Page) =>
  (await withPieces(page, (pieces) => pieces.count(['stray', 0, 0, '']))) === 1;

/** What this makes of what is kept of recordings, once all that was to be stored before it is. */
function withPieces(page: Page, act: (pieces: IDBObjectStore) => IDBRequest | void): Promise<unknown> {
  return page.evaluate(`(async () => {
    const opening = indexedDB.open('vidence');
    await new Promise((done) => (opening.onsuccess = done));
    // Of transactions that change the same, each waits for those before it.
    const changing = opening.result.transaction(['takes', 'pieces'], 'readwrite');
    const asked = (${act})(changing.objectStore('pieces'));
    await new Promise((done) => (changing.oncomplete = done));
    opening.result.close();
    return asked?.result;
  })()`);
}
