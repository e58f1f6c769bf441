// WebKitGTK in a small application with a profile on disk, so that it can be killed and opened again: WebKitWebDriver
// opens private sessions only.
import { type ChildProcess, execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Interface, createInterface } from 'node:readline';
import { Display, killGroup } from './display.ts';
import { type Tab, findPressableButton } from './tab.ts';
import { withTimeout } from '../timeout.ts';

/** A step that takes longer, in seconds, counts as hung. */
const TIMEOUT_S = 60;

export class EmbeddedWebKit implements Pick<Tab, 'goto' | 'evaluate' | 'press'> {
  private readonly display = new Display();
  private readonly folder = mkdtempSync(join(tmpdir(), 'embedded-webkit-'));
  private running: ChildProcess | undefined;
  private answers: AsyncIterator<string> | undefined;

  static async start(): Promise<EmbeddedWebKit> {
    const webkit = new EmbeddedWebKit();
    await webkit.display.start();
    // In a folder that the root of WebKitGTK’s system shares.
    copyFileSync(join(import.meta.dirname, 'embedded_webkit.py'), join(webkit.folder, 'browser.py'));
    webkit.open();
    return webkit;
  }

  /** Opens it, with the profile of the last time. */
  open(): void {
    this.running = this.display.startProgram(
      'pipe',
      'python3',
      join(this.folder, 'browser.py'),
      join(this.folder, 'profile'),
    );
    const lines: Interface = createInterface({ input: this.running.stdout! });
    this.answers = lines[Symbol.asyncIterator]();
  }

  /** Kills all its processes at once, as the system does when memory runs out. */
  async kill(): Promise<void> {
    await killGroup(this.running!);
  }

  /** Kills the process that holds blobs and talks to servers. Pages go on, and get another one. */
  killNetworkProcess(): void {
    execFileSync('pkill', ['-KILL', '--pgroup', String(this.running!.pid), '--full', 'WebKitNetworkProcess']);
  }

  /** What WebKitGTK and GStreamer wrote to standard error. */
  get log(): string {
    return this.display.log;
  }

  async end(): Promise<void> {
    await this.display.stop();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  async goto(url: string): Promise<void> {
    await this.request({ url });
  }

  evaluate<A extends unknown[], R>(run: (...args: A) => R | Promise<R>, ...args: A): Promise<R> {
    // A value that JSON can’t represent, such as undefined, is missing in the answer.
    return this.request({ run: `return JSON.stringify({ value: await (${run})(...${JSON.stringify(args)}) })` });
  }

  async press(name: string): Promise<void> {
    const press = `const found = await (${findPressableButton})(${JSON.stringify(name)}); found?.click(); return String(!!found)`;
    const end = Date.now() + 1000 * TIMEOUT_S;
    while (!(await this.request({ run: press }))) {
      if (Date.now() > end) throw new Error(`the button “${name}” didn’t come within ${TIMEOUT_S} s`);
    }
  }

  private async request(question: object): Promise<any> {
    this.running!.stdin!.write(`${JSON.stringify(question)}\n`);
    const answer = await withTimeout(TIMEOUT_S, 'an answer of WebKit', this.answers!.next());
    if (answer.done) throw new Error('WebKit ended');
    const { value, error } = JSON.parse(answer.value);
    if (error !== undefined) throw new Error(error);
    const given = value === undefined || value === null ? undefined : JSON.parse(value);
    return typeof given === 'object' && given ? given.value : given;
  }
}
