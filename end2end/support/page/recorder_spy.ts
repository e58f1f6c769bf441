// Records what MediaRecorder delivers to the page, to compare it with what the server gets.
import { type Page, expect } from '@playwright/test';

/** One recording, as MediaRecorder delivered it. */
export interface Recording {
  /** When `start()` was called, in milliseconds: a busy browser fires `start` a second later, and yet has recorded it. */
  startedAt: number;
  /** When `stop` was fired, in milliseconds. */
  stoppedAt?: number;
  /** When each blob was delivered, in milliseconds, and its bytes. */
  blobs: { at: number; bytes: Buffer }[];
}

/** This many bytes at the beginning identify a recording. */
const HEAD = 64;

export class RecorderSpy {
  readonly recordings: Recording[] = [];

  /** Listens to all recordings of this page. Must be called before the page is opened. */
  static async attach(page: Page): Promise<RecorderSpy> {
    const spy = new RecorderSpy();
    await page.exposeBinding('reportRecorderEvent', (_, what: string, at: number, base64?: string) =>
      spy.handleEvent(what, at, base64),
    );
    await page.addInitScript(reportRecordings);
    return spy;
  }

  /** The bytes of the last recording. Throws if there are none: two empty recordings would be equal. */
  bytes(): Buffer {
    const bytes = Buffer.concat(this.last.blobs.map((blob) => blob.bytes));
    if (bytes.length === 0) throw new Error('the browser has handed out nothing of its last recording');
    return bytes;
  }

  /** Waits until the last recording has stopped, with all its blobs. Fails if there was none. */
  async waitUntilStopped(): Promise<void> {
    await expect
      .poll(() => this.recordings.at(-1)?.stoppedAt, { message: 'the end of the last recording' })
      .toBeDefined();
  }

  /** How many seconds this many bytes of the last recording hold at most; 0 if they don't hold its first blob. */
  secondsWithin(bytes: number): number {
    const { startedAt, blobs } = this.last;
    let end = 0;
    const made = blobs.filter((blob) => (end += blob.bytes.length) <= bytes);
    return made.length > 0 ? (made.at(-1)!.at - startedAt) / 1000 : 0;
  }

  /** The part of a sealed video from where this recording begins, behind the index. Throws if it isn't there. */
  static recordingIn(sealed: Buffer, recorded: Buffer): Buffer {
    const head = recorded.subarray(0, HEAD);
    if (head.length < HEAD) throw new Error(`the recording has ${head.length} bytes: too few to look for`);
    const at = sealed.lastIndexOf(head);
    if (at < 0) throw new Error('the sealed video doesn’t hold the beginning of the recording');
    return sealed.subarray(at);
  }

  /** Throws unless a sealed video ends with this recording, byte for byte. */
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

/** Runs in the page, before its scripts. */
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
