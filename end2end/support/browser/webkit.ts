// WebKitGTK, which has Safari's engine, driven by WebKitWebDriver (https://www.w3.org/TR/webdriver2/).
import type { ChildProcess } from 'node:child_process';
import { type AddressInfo, createServer } from 'node:net';
import { Display } from './display.ts';
import { EngineCrash } from './engine_crash.ts';
import { type Process, describeMainThread, isRunning, processesOf, waitsForLock } from './process_group.ts';
import { type Engine, type Tab, findPressableButton } from './tab.ts';
import { withTimeout } from '../timeout.ts';

/** A step that takes longer, in seconds, counts as hung. */
const TIMEOUT_S = 60;

/** The key of a reference to an element, in JSON. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';

/** Two mock cameras, `user` and `environment`, and microphones that beep, without permission prompts. */
const CAMERAS = ['--enable-media-stream=true', '--enable-mock-capture-devices=true', '--enable-webrtc=true'];

/** The machine's own devices, of which test machines have none. */
const NO_CAMERA = ['--enable-media-stream=true', '--enable-webrtc=true'];

/** The processes without which there is no browser. A web process may end and be replaced when the page changes. */
const LASTING_PROCESSES = ['MiniBrowser', 'WebKitNetworkPr'];

/** The processes that a page needs. */
const PROCESSES = [...LASTING_PROCESSES, 'WebKitWebProces'];

/** What MiniBrowser writes when a web process ends by a signal. */
const WEB_PROCESS_CRASHED = 'WebProcess CRASHED';

/** What the driver answers when a process of the browser ends: during a command, and for the next one. */
const DRIVER_LOST_BROWSER = /Could not parse script result|Session terminated without a reply|page crash or hang/;

/** How long after the driver lost the browser its processes may still be seen, in milliseconds. */
const LOSS_TO_END_MS = 3000;

export class WebKit implements Engine {
  private readonly display = new Display();
  private running: ChildProcess | undefined;
  private driver = '';
  private session = '';
  private lasting: Process[] = [];
  /** The handle of the tab that commands go to. */
  private current = '';
  private fresh = true;
  /** How long the answer to a command may take, in seconds. */
  patience = TIMEOUT_S;

  static async start(camera: boolean, colorScheme?: 'light' | 'dark'): Promise<WebKit> {
    const webkit = new WebKit();
    try {
      await webkit.launch(camera, colorScheme);
    } catch (error) {
      await webkit.end();
      throw error;
    }
    return webkit;
  }

  async tab(): Promise<WebKitTab> {
    // A new session has one tab.
    const handle = this.fresh
      ? await this.command('GET', '/window')
      : (await this.command('POST', '/window/new', { type: 'tab' })).handle;
    this.fresh = false;
    const tab = new WebKitTab(this, handle);
    await tab.resize(390, 844);
    return tab;
  }

  /** Sends a command, to this tab if one is given, and returns the value of the answer. */
  async command(method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown, tab?: string): Promise<any> {
    if (tab && tab !== this.current) {
      this.current = tab;
      await this.command('POST', '/window', { handle: tab });
    }
    return this.request(method, `/session/${this.session}${path}`, body);
  }

  /** What the driver, the browser and GStreamer wrote to standard error. */
  get log(): string {
    return this.display.log;
  }

  /** The process that leads the group of the driver’s and the browser’s processes. */
  get pid(): number {
    return this.running!.pid!;
  }

  /** Kills all its processes. */
  end(): Promise<void> {
    return this.display.stop();
  }

  private async launch(camera: boolean, colorScheme?: 'light' | 'dark'): Promise<void> {
    await this.display.start();
    const port = await freePort();
    const driver = this.display.startProgram('ignore', 'WebKitWebDriver', `--port=${port}`);
    this.running = driver;
    this.driver = `http://127.0.0.1:${port}`;
    await pollUntil('WebKitWebDriver', async () => {
      if (driver.exitCode !== null) throw new Error(`WebKitWebDriver ended: ${driver.exitCode}`);
      const status = await this.request('GET', '/status').catch(() => undefined);
      return status?.ready || undefined;
    });
    const dark = colorScheme === 'dark' ? ['--dark-mode'] : [];
    const options = { args: ['--automation', ...dark, ...(camera ? CAMERAS : NO_CAMERA)] };
    const capabilities = { alwaysMatch: { 'webkitgtk:browserOptions': options } };
    const opening = this.request('POST', '/session', { capabilities });
    this.session = (await withTimeout(TIMEOUT_S, 'a session of WebKit', opening)).sessionId;
    this.lasting = processesOf(this.pid).filter(({ name }) => LASTING_PROCESSES.includes(name));
  }

  private async request(method: string, path: string, body?: unknown): Promise<any> {
    const command = `${method} ${path}`;
    const asking = fetch(`${this.driver}${path}`, {
      method,
      // A command without parameters needs an empty object.
      body: method === 'POST' ? JSON.stringify(body ?? {}) : undefined,
    });
    const answering = withTimeout(this.patience, `the answer to ${command}`, this.unlessCrashed(command, asking));
    const answer = await answering.catch((error) => this.explainHang(error));
    const { value } = (await answer.json()) as { value: any };
    if (answer.ok) return value;
    const message = `${command}: ${value.error}: ${value.message}`;
    if (DRIVER_LOST_BROWSER.test(value.message)) await this.throwIfCrashed(message);
    throw new Error(message);
  }

  /** Waits for this answer. The driver may owe it for ever once a process of the browser has ended. */
  private async unlessCrashed(command: string, asking: Promise<Response>): Promise<Response> {
    let isAnswered = false;
    const answer = asking.finally(() => (isAnswered = true));
    const crash = async (): Promise<Response> => {
      for (; !isAnswered; await pause()) {
        const ended = this.endedProcess();
        if (!ended) continue;
        // An error that is under way tells more than its absence.
        await Promise.race([answer, pause(LOSS_TO_END_MS)]);
        if (!isAnswered) throw new EngineCrash(`${ended} ended; ${command} was not answered`);
      }
      return answer;
    };
    return Promise.race([answer, crash()]);
  }

  /**
   * Throws this error, which may be one of a hang, and adds what the browser's processes are doing.
   *
   * It is an `EngineCrash` if a main thread waits for a lock. A page can make its thread busy, or leave a script without
   * an answer, but it can't wait for a lock, unless by a synchronous request, which ours never sends.
   */
  private async explainHang(error: unknown): Promise<never> {
    if (error instanceof EngineCrash || !this.running) throw error;
    const processes = processesOf(this.pid).filter(({ name }) => PROCESSES.includes(name));
    const state = `${error}; ${processes.map(describeMainThread).join(', ')}`;
    for (const { pid, name } of processes) {
      if (await waitsForLock(pid)) throw new EngineCrash(`${name} waits for a lock; ${state}`);
    }
    throw new Error(state);
  }

  /** Throws an `EngineCrash` if a process of the browser ended. The driver says the same of one that hangs. */
  private async throwIfCrashed(message: string): Promise<void> {
    for (const end = Date.now() + LOSS_TO_END_MS; Date.now() < end; await pause()) {
      const ended = this.endedProcess();
      if (ended) throw new EngineCrash(`${ended} ended; ${message}`);
    }
  }

  /** The name of a process that has ended, and without which there is no page or no browser. */
  private endedProcess(): string | undefined {
    if (this.log.includes(WEB_PROCESS_CRASHED)) return 'WebKitWebProcess';
    return this.lasting.find(({ pid }) => !isRunning(pid))?.name;
  }
}

export class WebKitTab implements Tab {
  constructor(
    private readonly webkit: WebKit,
    private readonly handle: string,
  ) {}

  async goto(url: string): Promise<void> {
    await this.command('POST', '/url', { url });
  }

  async reload(): Promise<void> {
    // WebDriver's refresh never ends if the page asks whether to leave. A page that reloads itself doesn't ask.
    await this.evaluate(() => {
      Object.assign(window, { isLeft: true });
      setTimeout(() => location.reload());
    });
    // Synchronously: an asynchronous script of a page that is left is never answered.
    const script = `return !('isLeft' in window) && document.readyState === 'complete'`;
    const isNew = () =>
      this.command('POST', '/execute/sync', { script, args: [] }).catch((error) => {
        if (error instanceof EngineCrash) throw error;
        return false;
      });
    await pollUntil('the page after its reload', async () => (await isNew()) || undefined);
  }

  async evaluate<A extends unknown[], R>(run: (...args: A) => R | Promise<R>, ...args: A): Promise<R> {
    const script = `
      const [args, done] = arguments;
      const run = async () => (${run})(...args);
      run().then((value) => done({ value }), (error) => done({ error: String(error) }));
    `;
    const { value, error } = await this.command('POST', '/execute/async', { script, args: [args] });
    if (error !== undefined) throw new Error(error);
    return value;
  }

  async press(name: string): Promise<void> {
    const button = await pollUntil(`the button “${name}”`, () => this.find(findPressableButton, name));
    await this.command('POST', `/element/${button}/click`);
  }

  async choose(file: string): Promise<void> {
    const field = await pollUntil('a field for files', () => {
      return this.find(() => document.querySelector('[data-element=file-input]:enabled'));
    });
    await this.command('POST', `/element/${field}/value`, { text: file });
  }

  async close(): Promise<void> {
    await this.command('DELETE', '/window');
  }

  /** Sets the size of the page, without the toolbars around it. */
  async resize(width: number, height: number): Promise<void> {
    const inner = await this.evaluate(() => ({ width: innerWidth, height: innerHeight }));
    const outer = await this.command('GET', '/window/rect');
    await this.command('POST', '/window/rect', {
      width: outer.width + width - inner.width,
      height: outer.height + height - inner.height,
    });
  }

  async screenshot(): Promise<Buffer> {
    return Buffer.from(await this.command('GET', '/screenshot'), 'base64');
  }

  /** Returns the reference of the element that this function finds in the page. */
  private async find(run: (...args: any[]) => unknown, ...args: unknown[]): Promise<string | undefined> {
    const script = `
      const [args, done] = arguments;
      const run = async () => (${run})(...args);
      run().then(done, (error) => done({ error: String(error) }));
    `;
    const found = await this.command('POST', '/execute/async', { script, args: [args] });
    if (found?.error !== undefined) throw new Error(found.error);
    return found?.[ELEMENT];
  }

  private command(method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown): Promise<any> {
    return this.webkit.command(method, path, body, this.handle);
  }
}

/** Polls until this returns a value, and returns that. */
async function pollUntil<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  const end = Date.now() + 1000 * TIMEOUT_S;
  while (Date.now() < end) {
    const found = await look();
    if (found !== undefined) return found;
    await pause();
  }
  throw new Error(`${what} didn’t come within ${TIMEOUT_S} s`);
}

async function pause(milliseconds = 50): Promise<void> {
  await new Promise((done) => setTimeout(done, milliseconds));
}

/** Returns a port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}
