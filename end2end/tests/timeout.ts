// Waits that have an end.

/** Waits for this, for so many seconds; then it is an error that says what didn't come. */
export async function withTimeout<T>(seconds: number, what: string, wait: Promise<T>): Promise<T> {
  // Made here, so that it says who waited.
  const late = new Error(`${what} didn’t come within ${seconds} s`);
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(late), 1000 * seconds);
  });
  return Promise.race([wait, over]).finally(() => clearTimeout(timer));
}
