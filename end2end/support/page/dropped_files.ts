// Files that are dragged over the page, dropped on it or pasted.
import type { Page } from '@playwright/test';

/** A file for `fireFileEvent`, as JSON. */
export interface PageFile {
  name: string;
  type: string;
  base64: string;
}

export const pageFile = (name: string, bytes: Buffer, type = ''): PageFile => ({
  name,
  type,
  base64: bytes.toString('base64'),
});

/** WebKit names in none of them the element that the files come from, or go to. */
export type FileEventName = 'dragenter' | 'dragover' | 'dragleave' | 'drop' | 'paste';

/**
 * Runs in the page: fires an event with these files at an element, as when the person drags, drops or pastes them. Returns whether the
 * page has kept the browser from what it does by itself.
 */
export function fireFileEvent({ name, files, at = 'body' }: { name: FileEventName; files: PageFile[]; at?: string }): boolean {
  const data = new DataTransfer();
  for (const { name, type, base64 } of files) {
    const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
    data.items.add(new File([bytes], name, { type }));
  }
  const how = { bubbles: true, cancelable: true };
  const event =
    name === 'paste'
      ? // Firefox takes none in its constructor.
        Object.defineProperty(new ClipboardEvent(name, how), 'clipboardData', { value: data })
      : new DragEvent(name, { ...how, dataTransfer: data });
  return !document.querySelector(at)!.dispatchEvent(event);
}

/** Files of this machine, dragged over the middle of the page by Chromium itself. */
export class FileDrag {
  private constructor(private readonly dispatch: (type: 'dragEnter' | 'dragOver' | 'drop') => Promise<unknown>) {}

  /** Drags these files over the page. */
  static async over(page: Page, ...files: string[]): Promise<FileDrag> {
    const session = await page.context().newCDPSession(page);
    const { width, height } = page.viewportSize()!;
    const data = { items: [], files, dragOperationsMask: 1 };
    const where = { x: Math.round(width / 2), y: Math.round(height / 2), data };
    const drag = new FileDrag((type) => session.send('Input.dispatchDragEvent', { type, ...where }));
    await drag.dispatch('dragEnter');
    await drag.dispatch('dragOver');
    return drag;
  }

  drop(): Promise<unknown> {
    return this.dispatch('drop');
  }
}
