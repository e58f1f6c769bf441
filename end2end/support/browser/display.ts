// A virtual X display, and WebKitGTK's programs on it. They may live in a root of their own: older systems have versions
// that record nothing.
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { requireEnv } from '../required_env.ts';
import { withTimeout } from '../timeout.ts';

/** A step that takes longer, in seconds, counts as hung. */
const TIMEOUT_S = 60;

/** The screen's size and depth: larger than every window. */
const SCREEN = '1600x1200x24';

/**
 * Rendering is done by software, for machines without a graphics card. Compositing stays on: without it WebKitGTK 2.52.6
 * hangs in one of sixteen reloads during a recording. GStreamer's streaming thread holds the preroll lock of the preview's
 * sink and waits for the main thread to paint; the main thread ends the camera's stream and waits for that lock.
 */
const ENVIRONMENT = {
  LIBGL_ALWAYS_SOFTWARE: '1',
  WEBKIT_DISABLE_DMABUF_RENDERER: '1',
  // The sandbox can't start as root.
  ...(process.getuid?.() === 0 ? { WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1' } : {}),
};

export class Display {
  /** The root of the system that has WebKitGTK: `/`, or another one. */
  private readonly root = requireEnv('VIDENCE_WEBKIT');
  private readonly home = mkdtempSync(join(tmpdir(), 'webkit-'));
  private readonly processes: ChildProcess[] = [];
  private readonly logFile = join(this.home, 'stderr.log');
  private number = '';

  /** What its programs have written to their standard error. */
  get log(): string {
    return readFileSync(this.logFile, 'utf8');
  }

  async start(): Promise<void> {
    // Otherwise the toolbar makes the window wider than a phone.
    const style = join(this.home, '.config', 'gtk-3.0');
    mkdirSync(style, { recursive: true });
    writeFileSync(join(style, 'gtk.css'), '* { min-width: 0; min-height: 0; padding: 0; margin: 0; }');
    const screen = this.spawnInRoot(
      {},
      'ignore',
      'Xvfb',
      '-displayfd',
      '1',
      '-screen',
      '0',
      SCREEN,
      '-nolisten',
      'tcp',
    );
    this.number = await withTimeout(TIMEOUT_S, 'the number of the display', firstLine(screen));
  }

  /** Starts a program on the display, with its standard output in a pipe. */
  startProgram(input: 'ignore' | 'pipe', ...command: string[]): ChildProcess {
    const environment = { DISPLAY: `:${this.number}`, ...ENVIRONMENT };
    return this.spawnInRoot(environment, input, 'dbus-run-session', '--', ...command);
  }

  /** Ends the X server and all programs that were started on it. */
  async stop(): Promise<void> {
    const [screen] = this.processes;
    for (const running of this.processes.reverse()) {
      // Only the X server has files of its own to remove.
      await killGroup(running, running === screen ? 'SIGTERM' : 'SIGKILL');
    }
    rmSync(this.home, { recursive: true, force: true, maxRetries: 5 });
  }

  /** Starts a program in the root of its system. */
  private spawnInRoot(
    environment: Record<string, string>,
    input: 'ignore' | 'pipe',
    ...command: string[]
  ): ChildProcess {
    const enter = this.root === '/' ? [] : [join(import.meta.dirname, 'within-root.sh'), this.root];
    const [program, ...words] = [...enter, ...command];
    const log = openSync(this.logFile, 'a');
    const stdio: StdioOptions = [input, 'pipe', log];
    const started = spawn(program, words, {
      detached: true,
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: this.home, LANG: 'C.UTF-8', ...environment },
      stdio,
    });
    closeSync(log);
    this.processes.push(started);
    return started;
  }
}

/** Signals a program’s process group, and waits until the program has ended. */
export async function killGroup(running: ChildProcess, signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): Promise<void> {
  if (running.exitCode !== null || running.signalCode !== null) return;
  const gone = new Promise((done) => running.once('exit', done));
  process.kill(-running.pid!, signal);
  await withTimeout(TIMEOUT_S, 'the end of WebKit', gone);
}

async function firstLine(started: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: started.stdout! })) return line;
  throw new Error('it ended before it said anything');
}
