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

/** So many bytes at its beginning tell a recording from others. */
const HEAD = 64;

export class Tape {
  readonly reels: Reel[] = [];

  /** Listens to all that this page records; call it before the page opens anything. */
  static async of(page: Page): Promise<Tape> {
    const tape = new Tape();
    await page.exposeBinding('tape', (_, what: string, at: number, base64?: string) => tape.hear(what, at, base64));
    await page.addInitScript(listen);
    return tape;
  }

  /** All of the last recording. Fails if the browser has recorded nothing: two empty recordings are equal. */
  bytes(): Buffer {
    const bytes = Buffer.concat(this.last.pieces.map((piece) => piece.bytes));
    if (bytes.length === 0) throw new Error('the browser has handed out nothing of its last recording');
    return bytes;
  }

  /** Waits until all of the last recording was heard. Fails if there was none. */
  async ends(): Promise<void> {
    await expect.poll(() => this.reels.at(-1)?.ended, { message: 'the end of the last recording' }).toBeDefined();
  }

  /** How many seconds so many bytes of the last recording are at most: none if they don't hold its first piece. */
  seconds(bytes: number): number {
    const { began, pieces } = this.last;
    let end = 0;
    const made = pieces.filter((piece) => (end += piece.bytes.length) <= bytes);
    return made.length > 0 ? (made.at(-1)!.at - began) / 1000 : 0;
  }

  /** A sealed video from where this recording begins, behind the index. Fails if it doesn't hold that beginning. */
  static within(sealed: Buffer, recorded: Buffer): Buffer {
    const head = recorded.subarray(0, HEAD);
    if (head.length < HEAD) throw new Error(`the recording has ${head.length} bytes: too few to look for`);
    const at = sealed.lastIndexOf(head);
    if (at < 0) throw new Error('the sealed video doesn’t hold the beginning of the recording');
    return sealed.subarray(at);
  }

  /** Fails unless a sealed video ends with this very recording, byte for byte. */
  static expectWhole(sealed: Buffer, recorded: Buffer): void {
    const held = Tape.within(sealed, recorded);
    if (held.equals(recorded)) return;
    const other = held.findIndex((byte, at) => byte !== recorded[at]);
    const where = other < 0 ? 'and then ends' : `of which byte ${other} is another`;
    throw new Error(`the video holds ${held.length} bytes of ${recorded.length} that were recorded, ${where}`);
  }

  private get last(): Reel {
    const reel = this.reels.at(-1);
    if (!reel) throw new Error('the browser has recorded nothing');
    return reel;
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
