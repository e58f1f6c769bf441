// Fixtures: each test has a Vidence server of its own, the release binary in an empty folder and an empty environment.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { test as base, expect } from '@playwright/test';
import { Certificate } from './certificate.ts';
import { NetworkProxy } from '../network/network_proxy.ts';
import { requireEnv } from '../required_env.ts';
import { withTimeout } from '../timeout.ts';

/** A start or a stop that takes longer, in seconds, counts as hung. */
const TIMEOUT_S = 60;

const BINARY = process.env.VIDENCE_BINARY ?? resolve('..', 'target', 'release', 'vidence');

export interface Created {
  id: string;
  status: string;
  submission_url: string;
  access_token: string;
  expires_at: string;
}

/** How the server is reached: HTTP/1.1 without TLS, or HTTP/2 over TLS. */
export type Transport = 'plain' | 'tls';

/** A Vidence server. */
export class Vidence {
  private server?: ChildProcess;
  private origin = 'http://127.0.0.1:0';
  private readonly flags: string[];
  readonly dataDir = mkdtempSync(join(tmpdir(), 'vidence-'));

  constructor(
    flags: string[] = [],
    readonly transport: Transport = 'plain',
  ) {
    copyFileSync(BINARY, join(this.dataDir, 'vidence'));
    this.flags = transport === 'tls' ? [...flags, ...new Certificate(this.dataDir).flags] : flags;
  }

  /** Starts it, always at the same address, and waits until it listens. */
  async start(): Promise<void> {
    const listen = new URL(this.origin).host;
    const server = spawn(join(this.dataDir, 'vidence'), ['--listen', listen, ...this.flags], {
      cwd: this.dataDir,
      env: {},
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.server = server;
    this.origin = await withTimeout(TIMEOUT_S, 'the address of the server', readOrigin(server));
    server.stdout!.resume();
  }

  /** Ends it, as an operator would or, by SIGKILL, as a power cut would. Waits until it has ended. */
  async stop(signal: 'SIGKILL' | 'SIGTERM' = 'SIGTERM'): Promise<void> {
    const server = this.server;
    if (server && server.exitCode === null && server.signalCode === null) {
      const gone = new Promise((done) => server.once('exit', done));
      server.kill(signal);
      await withTimeout(TIMEOUT_S, 'the end of the server', gone);
    }
  }

  /** Runs another command of the binary beside the server, and returns its output. */
  runCommand(...command: string[]): string {
    return execFileSync(join(this.dataDir, 'vidence'), command, { cwd: this.dataDir, env: {}, encoding: 'utf8' });
  }

  url(path: string): string {
    return `${this.origin}${path}`;
  }

  async createRequest(prompt = 'Show the dent in the door, then the number plate.'): Promise<Created> {
    const answer = await fetch(this.url('/v1/requests'), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ prompt, expires_in_hours: 24 }),
    });
    expect(answer.status).toBe(201);
    return (await answer.json()) as Created;
  }

  /** Fetches with the creator's token. */
  fetchAsCreator(created: Created, path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { ...init.headers, Authorization: `Bearer ${created.access_token}` };
    return fetch(new URL(path, this.url('/')), { ...init, headers });
  }

  async fetchStatus(created: Created): Promise<any> {
    return (await this.fetchAsCreator(created, `/v1/requests/${created.id}`)).json();
  }

  /** The state that the recording page polls, with that of a take if its id is given. */
  async fetchState(created: Created, take = ''): Promise<any> {
    return (await fetch(this.url(`/r/${created.id}/state?take=${take}`))).json();
  }

  /** The committed bytes of all takes. */
  async committedBytes(created: Created): Promise<number> {
    const { takes } = await this.fetchState(created);
    return takes.reduce((sum: number, take: { offset: number }) => sum + take.offset, 0);
  }

  /** The metadata of the submitted video. */
  async fetchMetadata(created: Created): Promise<any> {
    const { video } = await this.fetchStatus(created);
    return (await this.fetchAsCreator(created, `/videos/${video.id}/metadata`)).json();
  }

  /** The picture next to a moment, as large as it was recorded. */
  async fullPicture(created: Created, at_ms: number): Promise<Buffer> {
    const { video } = await this.fetchStatus(created);
    const answer = await this.fetchAsCreator(created, `/videos/${video.id}/stills/${Math.round(at_ms)}?full=true`);
    expect(answer.status).toBe(200);
    return Buffer.from(await answer.arrayBuffer());
  }

  /** Downloads the video as the creator. */
  async download(created: Created): Promise<Buffer> {
    const { video } = await this.fetchStatus(created);
    const answer = await this.fetchAsCreator(created, video.url);
    expect(answer.status).toBe(200);
    return Buffer.from(await answer.arrayBuffer());
  }
}

/** Reads the origin from the output of the server. */
async function readOrigin(server: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: server.stdout! })) {
    const address = /open (https?:\/\/\S+) in a browser/.exec(line)?.[1];
    if (address) return address;
  }
  throw new Error('the server ended before it listened');
}

/** A PostgreSQL database for one test, in which rows can be changed beside the server. */
export class Database {
  private readonly name = `browser_${process.pid}_${Date.now()}`;
  private readonly server: string;

  constructor(server: string) {
    this.server = server;
    this.psql(server, `CREATE DATABASE ${this.name}`);
  }

  get url(): string {
    return this.server.replace(/\/[^/]*$/, `/${this.name}`);
  }

  /** Lets a request expire this many seconds after its creation. */
  expire(created: Created, seconds = 0): void {
    const at = `created_at + ${1000 * seconds}`;
    this.psql(this.url, `UPDATE requests SET expires_at = ${at} WHERE id = '${created.id}'`);
  }

  private psql(url: string, sql: string): void {
    execFileSync(process.env.VIDENCE_TEST_PSQL ?? 'psql', [url, '-q', '-v', 'ON_ERROR_STOP=1', '-c', sql]);
  }
}

async function useServer(vidence: Vidence, use: (it: Vidence) => Promise<void>): Promise<void> {
  await vidence.start();
  await use(vidence);
  await vidence.stop();
  rmSync(vidence.dataDir, { recursive: true, force: true, maxRetries: 5 });
}

export interface TransportOption {
  transport: Transport;
}

interface Fixtures {
  /** Flags of the server. */
  flags: string[];
  vidence: Vidence;
  network: NetworkProxy;
  database: Database;
  videnceOnPostgres: Vidence;
}

/** For browsers that Playwright doesn't drive. */
export const baseTest = base.extend<TransportOption & Fixtures>({
  flags: [[], { option: true }],
  transport: ['plain', { option: true }],

  vidence: async ({ flags, transport }, use) => {
    await useServer(new Vidence(flags, transport), use);
  },

  network: async ({ vidence }, use) => {
    const network = new NetworkProxy(vidence);
    await network.restore();
    await use(network);
    await network.cut();
  },

  database: async ({}, use) => {
    await use(new Database(requireEnv('VIDENCE_TEST_POSTGRES')));
  },

  videnceOnPostgres: async ({ database }, use) => {
    await useServer(new Vidence(['--database-url', database.url]), use);
  },
});

export const test = baseTest.extend<{ consoleErrors: string[] }>({
  /** Errors in the console and in scripts. The test fails if any is left: a test removes those that it expects. */
  consoleErrors: [
    async ({ context }, use) => {
      const consoleErrors: string[] = [];
      context.on('weberror', (error) => consoleErrors.push(String(error.error())));
      context.on('console', (message) => {
        // Chromium logs each failed request; some tests let requests fail.
        const failedRequest = message.text().startsWith('Failed to load resource');
        if (message.type() === 'error' && !failedRequest) {
          consoleErrors.push(message.text());
        }
      });
      await use(consoleErrors);
      expect(consoleErrors).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };
