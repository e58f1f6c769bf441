// Firefox, driven by Puppeteer: Playwright drives only its own build of it.
import { type Browser, type Page, launch } from 'puppeteer-core';
import { requireEnv } from '../required_env.ts';
import { type Engine, type Tab, findPressableButton } from './tab.ts';

export class Firefox implements Engine {
  private constructor(private readonly browser: Browser) {}

  /** Starts it with a fake camera and microphone that need no permission, or without devices. */
  static async start(camera: boolean): Promise<Firefox> {
    const devices = { 'media.navigator.streams.fake': camera, 'media.navigator.permission.disabled': true };
    const executablePath = requireEnv('VIDENCE_FIREFOX');
    return new Firefox(await launch({ browser: 'firefox', executablePath, extraPrefsFirefox: devices, timeout: 60_000 }));
  }

  async tab(): Promise<Tab> {
    const page = await this.browser.newPage();
    page.on('dialog', (dialog) => dialog.accept());
    return new FirefoxTab(page);
  }

  get pid(): number {
    return this.browser.process()!.pid!;
  }

  end(): Promise<void> {
    return this.browser.close();
  }
}

class FirefoxTab implements Tab {
  constructor(private readonly page: Page) {}

  async goto(url: string): Promise<void> {
    await this.page.goto(url);
  }

  async reload(): Promise<void> {
    await this.page.reload();
  }

  async evaluate<A extends unknown[], R>(run: (...args: A) => R | Promise<R>, ...args: A): Promise<R> {
    return (await this.page.evaluate(run as any, ...args)) as R;
  }

  async press(name: string): Promise<void> {
    const button = await this.page.waitForFunction(findPressableButton, { polling: 50, timeout: 60_000 }, name);
    await (button as any).click();
  }

  async choose(file: string): Promise<void> {
    const field = await this.page.waitForSelector('[data-element=file-input]:enabled');
    await (field as any).uploadFile(file);
  }

  async close(): Promise<void> {
    await this.page.close();
  }
}
