import { test } from '@playwright/test';

/** What `cargo xtask test` names by these variables, where the machine has it. */
export type RequiredVariable = 'VIDENCE_FIREFOX' | 'VIDENCE_TEST_POSTGRES' | 'VIDENCE_WEBKIT';

/** Where it is. Without it the test is skipped; in CI it fails. */
export function requireEnv(name: RequiredVariable): string {
  const place = process.env[name];
  if (place) return place;
  const why = `${name} is not set`;
  if (process.env.CI) throw new Error(why);
  test.skip(true, why);
  throw new Error('a skipped test goes on');
}
