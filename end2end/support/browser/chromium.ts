// A Chromium that can be killed and started again with the same profile.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Browser, type BrowserContext, chromium } from '@playwright/test';
import { withTimeout } from '../timeout.ts';

/** No background requests of Chromium's own, and no sandbox as root, where it can't start. */
export const FLAGS = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-gpu',
  '--disable-quic',
  '--disable-sync',
  '--no-first-run',
  // A name that browsers don’t count as this machine: plain HTTP gets no camera there.
  '--host-resolver-rules=MAP insecure.test 127.0.0.1',
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
];

/** Two fake cameras with moving pictures, a microphone that beeps, and a screen. */
export const TWO_CAMERAS = '--use-fake-device-for-media-stream=device-count=2,display-media-type=window';

/** Grants devices without asking; with `=deny` appended it denies them. */
export const ALLOWED = '--use-fake-ui-for-media-stream';

/** A step that takes longer, in seconds, counts as hung. */
const TIMEOUT_S = 60;

export class Chromium {
  private readonly profile = mkdtempSync(join(tmpdir(), 'chromium-'));
  private process?: ChildProcess;
  private browser?: Browser;
  /** The port of the DevTools protocol. */
  port = 0;

  /** Starts it, with the profile of the last start. */
  async start(...flags: string[]): Promise<BrowserContext> {
    const executable = process.env.VIDENCE_CHROMIUM ?? '/usr/bin/chromium';
    const own = ['--headless=new', '--remote-debugging-port=0', `--user-data-dir=${this.profile}`];
    const started = spawn(executable, [...own, ...FLAGS, TWO_CAMERAS, ALLOWED, ...flags, 'about:blank'], {
      // In its own process group, so that all its processes can be killed at once.
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

  /** The process that is the parent of all others, and leads their group. */
  get pid(): number {
    return this.process!.pid!;
  }

  /** Kills all its processes at once, as an empty battery would. */
  async kill(): Promise<void> {
    const running = this.process!;
    if (running.exitCode !== null || running.signalCode !== null) return;
    const gone = new Promise((done) => running.once('exit', done));
    process.kill(-running.pid!, 'SIGKILL');
    await withTimeout(TIMEOUT_S, 'the end of Chromium', gone);
    if (this.browser) await withTimeout(TIMEOUT_S, 'the end of its connection', this.browser.close());
  }

  /** Kills it, and removes the profile. */
  async end(): Promise<void> {
    await this.kill();
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Reads the address of the DevTools protocol from its output. */
async function readDevToolsUrl(started: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: started.stderr! })) {
    const address = /^DevTools listening on (ws:\S+)/.exec(line)?.[1];
    if (address) return address;
  }
  throw new Error('Chromium ended before it listened');
}
