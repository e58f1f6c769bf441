// What the browser's own recorders make, heard beside the page: to compare with what arrives.
import { type Page, expect } from '@playwright/test';

/** One recording, as the browser made it. */
export interface Recording {
  /** When it was told to begin, in milliseconds: a busy browser says a second later that it has, and yet has filmed that second. */
  startedAt: number;
  /** When it said that it had ended. */
  stoppedAt?: number;
  /** When each was handed out, and its bytes. */
  blobs: { at: number; bytes: Buffer }[];
}

/** So many bytes at its beginning tell a recording from others. */
const HEAD = 64;

export class RecorderSpy {
  readonly recordings: Recording[] = [];

  /** Listens to all that this page records; call it before the page opens anything. */
  static async attach(page: Page): Promise<RecorderSpy> {
    const spy = new RecorderSpy();
    await page.exposeBinding('reportRecorderEvent', (_, what: string, at: number, base64?: string) => spy.handleEvent(what, at, base64));
    await page.addInitScript(reportRecordings);
    return spy;
  }

  /** All of the last recording. Fails if the browser has recorded nothing: two empty recordings are equal. */
  bytes(): Buffer {
    const bytes = Buffer.concat(this.last.blobs.map((blob) => blob.bytes));
    if (bytes.length === 0) throw new Error('the browser has handed out nothing of its last recording');
    return bytes;
  }

  /** Waits until all of the last recording was heard. Fails if there was none. */
  async waitUntilStopped(): Promise<void> {
    await expect.poll(() => this.recordings.at(-1)?.stoppedAt, { message: 'the end of the last recording' }).toBeDefined();
  }

  /** How many seconds so many bytes of the last recording are at most: none if they don't hold its first blob. */
  secondsWithin(bytes: number): number {
    const { startedAt, blobs } = this.last;
    let end = 0;
    const made = blobs.filter((blob) => (end += blob.bytes.length) <= bytes);
    return made.length > 0 ? (made.at(-1)!.at - startedAt) / 1000 : 0;
  }

  /** A sealed video from where this recording begins, behind the index. Fails if it doesn't hold that beginning. */
  static recordingIn(sealed: Buffer, recorded: Buffer): Buffer {
    const head = recorded.subarray(0, HEAD);
    if (head.length < HEAD) throw new Error(`the recording has ${head.length} bytes: too few to look for`);
    const at = sealed.lastIndexOf(head);
    if (at < 0) throw new Error('the sealed video doesn’t hold the beginning of the recording');
    return sealed.subarray(at);
  }

  /** Fails unless a sealed video ends with this very recording, byte for byte. */
  static expectSealed(sealed: Buffer, recorded: Buffer): void {
    const held = RecorderSpy.recordingIn(sealed, recorded);
    if (held.equals(recorded)) return;
    const other = held.findIndex((byte, at) => byte !== recorded[at]);
    const where = other < 0 ? 'and then ends' : `of which byte ${other} is another`;
    throw new Error(`the video holds ${held.length} bytes of ${recorded.length} that were recorded, ${where}`);
  }

  private get last(): Recording {
    const recording = this.recordings.at(-1);
    if (!recording) throw new Error('the browser has recorded nothing');
    return recording;
  }

  private handleEvent(what: string, at: number, base64?: string): void {
    const recording = this.recordings.at(-1);
    if (what === 'start') this.recordings.push({ startedAt: at, blobs: [] });
    else if (what === 'stop' && recording) recording.stoppedAt = at;
    else if (base64) recording?.blobs.push({ at, bytes: Buffer.from(base64, 'base64') });
  }
}

/** Runs in the page, before its own scripts. */
function reportRecordings(): void {
  const Recorder = globalThis.MediaRecorder;
  if (!Recorder) return;
  let said = Promise.resolve();
  const say = (event: Event) => {
    const at = Date.now();
    const { data } = event as BlobEvent;
    said = said.then(async () => (window as any).reportRecorderEvent(event.type, at, data && (await base64(data))));
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
