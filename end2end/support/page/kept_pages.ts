// Pages as they stand in one engine, kept in files so that another engine lays them out.
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { Tab } from '../browser/tab.ts';
import { LoopbackServer } from '../network/loopback_server.ts';
import type { Vidence } from '../server/vidence.ts';

/** Marks what is shown above the page, which no attribute tells by itself. */
const SHOWN = 'data-kept-shown';

/** Writes the page to `STATE.html`: without scripts, and with what only properties tell as attributes. */
export async function keepPage(page: Page, folder: string, state: string): Promise<void> {
  const html = await page.evaluate((shown) => {
    for (const it of document.querySelectorAll(':popover-open, dialog:modal')) it.setAttribute(shown, '');
    const copy = document.documentElement.cloneNode(true) as HTMLElement;
    for (const it of document.querySelectorAll(`[${shown}]`)) it.removeAttribute(shown);
    const copies = copy.querySelectorAll('input, option, textarea');
    document.querySelectorAll('input, option, textarea').forEach((it, index) => {
      if (it instanceof HTMLOptionElement) copies[index].toggleAttribute('selected', it.selected);
      if (it instanceof HTMLTextAreaElement) copies[index].textContent = it.value;
      if (!(it instanceof HTMLInputElement)) return;
      copies[index].toggleAttribute('checked', it.checked);
      if (it.type !== 'file') copies[index].setAttribute('value', it.value);
    });
    // An open dialog can't be opened again.
    for (const it of copy.querySelectorAll(`dialog[${shown}]`)) it.removeAttribute('open');
    for (const it of copy.querySelectorAll('script')) it.remove();
    return copy.outerHTML;
  }, SHOWN);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${state}.html`), `<!DOCTYPE html>\n${html}`);
}

/** A server of kept pages. Style sheets, fonts and pictures come from the product. */
export class KeptPages extends LoopbackServer {
  constructor(
    private readonly folder: string,
    private readonly vidence: Vidence,
  ) {
    super();
  }

  /** The names of the kept states. */
  states(): string[] {
    const files = readdirSync(this.folder).filter((it) => it.endsWith('.html'));
    return files.map((it) => it.slice(0, -'.html'.length)).sort();
  }

  /** Opens a state, with what was shown above the page. */
  async open(tab: Tab, state: string): Promise<void> {
    await tab.goto(this.url(`/kept/${state}`));
    await tab.evaluate((shown) => {
      for (const it of document.querySelectorAll<HTMLElement>(`[${shown}]`)) {
        if (it instanceof HTMLDialogElement) it.showModal();
        else it.showPopover();
      }
    }, SHOWN);
  }

  protected answer(asked: IncomingMessage, answer: ServerResponse): void {
    const [, kept] = /^\/kept\/([\w-]+)$/.exec(asked.url ?? '') ?? [];
    if (kept) {
      answer.setHeader('Content-Type', 'text/html; charset=utf-8');
      answer.end(readFileSync(join(this.folder, `${kept}.html`)));
      return;
    }
    fetch(this.vidence.url(asked.url ?? '/')).then(
      async (got) => {
        answer.writeHead(got.status, { 'Content-Type': got.headers.get('content-type') ?? '' });
        answer.end(Buffer.from(await got.arrayBuffer()));
      },
      () => answer.destroy(),
    );
  }
}
