// The interface of browsers that Playwright doesn't drive.

/** A browser with a temporary profile. */
export interface Engine {
  /** Opens a new tab in front of the others. */
  tab(): Promise<Tab>;
  /** The process that leads its group. */
  readonly pid: number;
  /** What it wrote to standard error, if that is kept. */
  readonly log?: string;
  end(): Promise<void>;
}

export interface Tab {
  goto(url: string): Promise<void>;
  /** Reloads the page, and confirms leaving it. */
  reload(): Promise<void>;
  /** Runs this function in the page. Arguments and result are passed as JSON. */
  evaluate<A extends unknown[], R>(run: (...args: A) => R | Promise<R>, ...args: A): Promise<R>;
  /** Clicks the button with this name, once it can be pressed. */
  press(name: string): Promise<void>;
  /** Chooses this file in the recorder's field, once that is enabled. */
  choose(file: string): Promise<void>;
  close(): Promise<void>;
}

/** Where doubles are installed: a page of Playwright, or a proxy in front of the server. */
export interface InitScripts {
  /** Runs this function in all pages that are opened from now on, before their own scripts. The argument is passed as JSON. */
  addInitScript(run: (argument: any) => void, argument?: unknown): Promise<unknown>;
}

/**
 * Runs in the page: finds the button with this name, if it is visible, enabled, stands still and isn't covered. A click
 * goes to a point, not to a button.
 */
export async function findPressableButton(name: string): Promise<HTMLButtonElement | undefined> {
  const buttons = [...document.querySelectorAll('button')];
  const nameOf = (it: HTMLButtonElement) => it.getAttribute('aria-label') ?? it.textContent!.trim();
  const button = buttons.find((it) => nameOf(it) === name && it.checkVisibility());
  // For a moment after a press, buttons are disabled by `aria-disabled`.
  if (!button || button.matches(':disabled, [aria-disabled=true]')) return undefined;
  button.scrollIntoView({ block: 'nearest' });
  const middle = () => {
    const { x, y, width, height } = button.getBoundingClientRect();
    return [x + width / 2, y + height / 2] as const;
  };
  const before = middle();
  // A timer instead of two frames: Firefox may paint none for seconds while it encodes.
  await new Promise((done) => setTimeout(done, 100));
  const stands = String(middle()) === String(before);
  return stands && button.contains(document.elementFromPoint(...before)) ? button : undefined;
}
