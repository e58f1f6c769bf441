// The test fixture for measures, and how results are printed.
import { cpus, loadavg } from 'node:os';
import { baseTest } from '../support/server/vidence.ts';

/** A smoke run: each measure once, and short. */
export const QUICK = !!process.env.VIDENCE_QUICK;

/** A test without rate limits, because all requests come from one address. */
export const measure = baseTest.extend({
  flags: ['--create-limit', 'off', '--read-limit', 'off'],
});

/** Prints a table, whose first row is the heading, with the load of the machine. */
export function table(title: string, rows: (string | number)[][]): void {
  const cells = rows.map((row) => row.map(String));
  const widths = cells[0].map((_, column) => Math.max(...cells.map((row) => row[column].length)));
  // The first column is aligned left, the others right.
  const line = (row: string[]) =>
    row.map((cell, column) => (column ? cell.padStart(widths[column]) : cell.padEnd(widths[column]))).join('  ');
  const busy = `load ${loadavg()[0].toFixed(1)} on ${cpus().length} processors`;
  console.log(`\n${title} (${busy})\n${cells.map(line).join('\n')}\n`);
}

/** The nearest-rank percentile: the least value that this percentage of the values doesn't exceed. */
export function percentile(values: number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)];
}

export const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1);
