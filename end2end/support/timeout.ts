// A timeout for promises.

/** Waits for this promise, for at most this many seconds. Then it throws an error that names what didn't come. */
export async function withTimeout<T>(seconds: number, what: string, wait: Promise<T>): Promise<T> {
  // Created here, so that its stack names the caller.
  const late = new Error(`${what} didn’t come within ${seconds} s`);
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(late), 1000 * seconds);
  });
  return Promise.race([wait, over]).finally(() => clearTimeout(timer));
}
