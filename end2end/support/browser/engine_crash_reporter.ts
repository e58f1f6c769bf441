// Reports crashes of a browser's engine, which a second attempt may have hidden, and fails a run with many of them.
import type { FullResult, Reporter, TestCase, TestResult } from '@playwright/test/reporter';
import { ENGINE_CRASH } from './engine_crash.ts';

/** More crashes in one run fail it. */
const MAX_CRASHES = 2;

export default class EngineCrashReporter implements Reporter {
  private readonly crashes: string[] = [];

  onTestEnd(test: TestCase, result: TestResult): void {
    const crash = result.annotations.find(({ type }) => type === ENGINE_CRASH);
    if (crash) this.crashes.push(`${test.titlePath().filter(Boolean).join(' › ')}\n    ${crash.description}`);
  }

  async onEnd({ status }: FullResult): Promise<{ status: FullResult['status'] }> {
    const { length } = this.crashes;
    if (length > 0) console.log(`\nA browser’s engine crashed ${length} times:`);
    for (const crash of this.crashes) console.log(`  ${crash}`);
    if (length <= MAX_CRASHES) return { status };
    console.log(`More than ${MAX_CRASHES} crashes of an engine fail the run.`);
    return { status: 'failed' };
  }

  printsToStdio(): boolean {
    return false;
  }
}
