// What the tests need of browsers that Playwright doesn't drive.

/** A browser, with a profile that ends with it. */
export interface Engine {
  /** A new tab, in front of the others. */
  tab(): Promise<Tab>;
  /** Of its process group. */
  readonly pid: number;
  /** What it wrote to its standard error, where that is kept. */
  readonly log?: string;
  end(): Promise<void>;
}

export interface Tab {
  goto(url: string): Promise<void>;
  /** Leaves the page and opens it again, whatever it has to say against it. */
  reload(): Promise<void>;
  /** Runs this function in the page; arguments and result as JSON. */
  evaluate<A extends unknown[], R>(run: (...args: A) => R | Promise<R>, ...args: A): Promise<R>;
  /** Clicks the button with this name, as soon as it is shown and can be pressed. */
  press(name: string): Promise<void>;
  /** Gives this file to the first field for files that is enabled. */
  choose(file: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * Runs in the page: the button with this name, if it is shown, can be pressed, stands still and isn't covered. A click
 * goes to a point, not to a button.
 */
export async function findPressableButton(name: string): Promise<HTMLButtonElement | undefined> {
  const buttons = [...document.querySelectorAll('button')];
  const button = buttons.find((it) => it.textContent!.trim() === name && it.checkVisibility());
  // For a moment after what was pressed before, a button takes nothing.
  if (!button || button.matches(':disabled, [aria-disabled=true]')) return undefined;
  button.scrollIntoView({ block: 'nearest' });
  const middle = () => {
    const { x, y, width, height } = button.getBoundingClientRect();
    return [x + width / 2, y + height / 2] as const;
  };
  const before = middle();
  // Not two frames: Firefox paints none for seconds while it encodes.
  await new Promise((done) => setTimeout(done, 100));
  const stands = String(middle()) === String(before);
  return stands && button.contains(document.elementFromPoint(...before)) ? button : undefined;
}
