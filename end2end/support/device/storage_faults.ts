// Faults of IndexedDB, in which the page stores its recordings, and access to what is stored there.
import type { Page } from '@playwright/test';

/** The keys of stored pieces can't be read. */
export const failToReadPieces = (page: Page) =>
  page.addInitScript(() => {
    const real = IDBObjectStore.prototype.getAllKeys;
    IDBObjectStore.prototype.getAllKeys = function (...which) {
      const reading = real.apply(this, which);
      if (this.name === 'pieces') this.transaction.abort();
      return reading;
    };
  });

/** The record of a take can't be stored. */
export const failToStoreTakes = (page: Page) =>
  page.addInitScript(() => {
    const real = IDBObjectStore.prototype.put;
    IDBObjectStore.prototype.put = function (...what) {
      const putting = real.apply(this, what);
      if (this.name === 'takes') this.transaction.abort();
      return putting;
    };
  });

/** There is room for this many pieces of recordings. If `crammed`, nothing else can be stored then, either. */
export const limitStoredPieces = (page: Page, pieces: number, crammed = false) =>
  page.addInitScript(
    ([pieces, crammed]) => {
      const refuse = (transaction: IDBTransaction) => {
        // `abort` sets no error; a browser whose storage is full does.
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

/** Deletes this stored piece, counted from 0. */
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

/** Returns a function that closes the page's database, as the browser may. */
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

/** No read of the database is ever answered. Returns a function that tells how many ms ago the first one began. */
export async function silenceDatabase(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    IDBObjectStore.prototype.get = () => {
      (window as any).silentSince ??= performance.now();
      return new EventTarget() as IDBRequest;
    };
  });
  return () => page.evaluate(() => performance.now() - (window as any).silentSince);
}

/** Waits until all writes so far are committed. */
export const waitForStoredWrites = (page: Page) => withPieces(page, () => {});

/** Stores a piece that belongs to no recording. */
export const storeStrayPiece = (page: Page) =>
  withPieces(page, (pieces) => pieces.put(new ArrayBuffer(1), ['stray', 0, 0, '']));

/** Whether the stray piece is stored. */
export const hasStrayPiece = async (page: Page) =>
  (await withPieces(page, (pieces) => pieces.count(['stray', 0, 0, '']))) === 1;

/** Runs this on the store of pieces, after all writes that were requested before. */
function withPieces(page: Page, act: (pieces: IDBObjectStore) => IDBRequest | void): Promise<unknown> {
  return page.evaluate(`(async () => {
    const opening = indexedDB.open('vidence');
    await new Promise((done) => (opening.onsuccess = done));
    // Read-write transactions on the same stores run in order.
    const changing = opening.result.transaction(['takes', 'pieces'], 'readwrite');
    const asked = (${act})(changing.objectStore('pieces'));
    await new Promise((done) => (changing.oncomplete = done));
    opening.result.close();
    return asked?.result;
  })()`);
}
