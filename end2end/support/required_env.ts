// Reads what the test command says about this machine from the environment.
import { test } from '@playwright/test';

/** Variables that `cargo xtask test` sets where the machine has what they name. */
export type RequiredVariable =
  | 'VIDENCE_FIREFOX'
  | 'VIDENCE_FONTS'
  | 'VIDENCE_TESSERACT'
  | 'VIDENCE_TEST_POSTGRES'
  | 'VIDENCE_WEBKIT';

/** The value of a variable. Without it the test is skipped; in CI it fails. */
export function requireEnv(name: RequiredVariable): string {
  const place = process.env[name];
  if (place) return place;
  const why = `${name} is not set`;
  if (process.env.CI) throw new Error(why);
  test.skip(true, why);
  throw new Error('a skipped test goes on');
}
