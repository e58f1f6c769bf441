// What the browser's own recorders make, heard beside the page: to compare with what arrives.
import { type Page, expect } from '@playwright/test';

/** One recording, as the browser made it. */
export interface Reel {
  /** When it was told to begin, in milliseconds: a busy browser says a second later that it has, and yet has filmed that second. */
  began: number;
  /** When it said that it had ended. */
  ended?: number;
  /** When each was handed out, and its bytes. */
  pieces: { at: number; bytes: Buffer }[];
}

export class Tape {
  readonly reels: Reel[] = [];

  /** Listens to all that this page records; call it before the page opens anything. */
  static async of(page: Page): Promise<Tape> {
    const tape = new Tape();
    await page.exposeBinding('tape', (_, what: string, at: number, base64?: string) => tape.hear(what, at, base64));
    await page.addInitScript(listen);
    return tape;
  }

  /** All of one recording, the last unless told. */
  bytes(reel = this.reels.at(-1)): Buffer {
    return Buffer.concat(reel?.pieces.map((piece) => piece.bytes) ?? []);
  }

  /** Waits until all of the last recording was heard. */
  async ends(): Promise<void> {
    const reel = this.reels.at(-1);
    if (reel) await expect.poll(() => reel.ended).toBeDefined();
  }

  /** How many seconds so many bytes of the last recording are at most; none while nothing was heard of one. */
  seconds(bytes: number): number {
    const reel = this.reels.at(-1);
    if (!reel) return 0;
    const { began, pieces } = reel;
    let end = 0;
    const made = pieces.filter((piece) => (end += piece.bytes.length) <= bytes);
    return made.length > 0 ? (made.at(-1)!.at - began) / 1000 : 0;
  }

  /** What of the last recording is in a sealed video, byte for byte: it begins anew behind the index. */
  static within(sealed: Buffer, recorded: Buffer): Buffer {
    return sealed.subarray(sealed.lastIndexOf(recorded.subarray(0, 64)));
  }

  private hear(what: string, at: number, base64?: string): void {
    const reel = this.reels.at(-1);
    if (what === 'start') this.reels.push({ began: at, pieces: [] });
    else if (what === 'stop' && reel) reel.ended = at;
    else if (base64) reel?.pieces.push({ at, bytes: Buffer.from(base64, 'base64') });
  }
}

/** Runs in the page, before its own scripts. */
function listen(): void {
  const Recorder = globalThis.MediaRecorder;
  if (!Recorder) return;
  let said = Promise.resolve();
  const say = (event: Event) => {
    const at = Date.now();
    const { data } = event as BlobEvent;
    said = said.then(async () => (window as any).tape(event.type, at, data && (await base64(data))));
  };
  const base64 = async (blob: Blob) => {
    const reader = new FileReader();
    const read = new Promise((done) => (reader.onload = done));
    reader.readAsDataURL(blob);
    await read;
    return (reader.result as string).split(';base64,')[1];
  };
  const heard = new WeakSet<MediaRecorder>();
  const start = Recorder.prototype.start;
  Recorder.prototype.start = function (...slice) {
    if (!heard.has(this)) {
      heard.add(this);
      for (const event of ['dataavailable', 'stop']) this.addEventListener(event, say);
      say(new Event('start'));
    }
    return start.apply(this, slice);
  };
}
