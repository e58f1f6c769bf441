// A Chromium that can be pulled the plug of, and that finds its profile again afterwards.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Browser, type BrowserContext, chromium } from '@playwright/test';
import { withTimeout } from './timeout.ts';

/** Chromium's own network chatter off; the sandbox can't start as root. */
export const FLAGS = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-gpu',
  '--disable-quic',
  '--disable-sync',
  '--no-first-run',
  // A name that isn't this machine's own, as browsers see it: no camera for plain HTTP there.
  '--host-resolver-rules=MAP insecure.test 127.0.0.1',
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
];

/** Two moving pictures, a microphone that beeps, and a screen. */
export const TWO_CAMERAS = '--use-fake-device-for-media-stream=device-count=2,display-media-type=window';

/** Asks for no permission. `=deny` after it: and gives none. */
export const ALLOWED = '--use-fake-ui-for-media-stream';

/** What takes longer, in seconds, has hung. */
const TIMEOUT_S = 60;

export class Chromium {
  private readonly profile = mkdtempSync(join(tmpdir(), 'chromium-'));
  private process?: ChildProcess;
  private browser?: Browser;
  /** Where its protocol is spoken. */
  port = 0;

  /** Starts it, again with the profile that it had. */
  async start(...flags: string[]): Promise<BrowserContext> {
    const executable = process.env.VIDENCE_CHROMIUM ?? '/usr/bin/chromium';
    const own = ['--headless=new', '--remote-debugging-port=0', `--user-data-dir=${this.profile}`];
    const started = spawn(executable, [...own, ...FLAGS, TWO_CAMERAS, ALLOWED, ...flags, 'about:blank'], {
      // A process group of its own, so that all of it can be killed at once.
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.process = started;
    const address = await withTimeout(TIMEOUT_S, 'the address of Chromium', readDevToolsUrl(started));
    started.stderr!.resume();
    this.port = Number(new URL(address).port);
    const connecting = chromium.connectOverCDP(address);
    this.browser = await withTimeout(TIMEOUT_S, 'the connection to Chromium', connecting);
    return this.browser.contexts()[0];
  }

  /** Of the first process, whose children are all the others. */
  get pid(): number {
    return this.process!.pid!;
  }

  /** Ends all its processes at once, as an empty battery would. */
  async kill(): Promise<void> {
    const running = this.process!;
    if (running.exitCode !== null || running.signalCode !== null) return;
    const gone = new Promise((done) => running.once('exit', done));
    process.kill(-running.pid!, 'SIGKILL');
    await withTimeout(TIMEOUT_S, 'the end of Chromium', gone);
    if (this.browser) await withTimeout(TIMEOUT_S, 'the end of its connection', this.browser.close());
  }

  /** Forgets the profile. */
  async end(): Promise<void> {
    await this.kill();
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Where it listens, as it says itself. */
async function readDevToolsUrl(started: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: started.stderr! })) {
    const address = /^DevTools listening on (ws:\S+)/.exec(line)?.[1];
    if (address) return address;
  }
  throw new Error('Chromium ended before it listened');
}
