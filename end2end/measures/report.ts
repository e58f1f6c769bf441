// How measures are printed, and on what they are taken.
import { cpus, loadavg } from 'node:os';
import { baseTest } from '../tests/vidence.ts';

/** A smoke run: each measure once, and not for long. */
export const QUICK = !!process.env.VIDENCE_QUICK;

/** One computer asks for everything here. */
export const measure = baseTest.extend({
  flags: ['--create-limit', 'off', '--read-limit', 'off'],
});

/** Prints rows below one another; the first is their heading. How busy the machine is belongs to every number. */
export function table(title: string, rows: (string | number)[][]): void {
  const cells = rows.map((row) => row.map(String));
  const widths = cells[0].map((_, column) => Math.max(...cells.map((row) => row[column].length)));
  // Words to the left, numbers to the right.
  const line = (row: string[]) =>
    row.map((cell, column) => (column ? cell.padStart(widths[column]) : cell.padEnd(widths[column]))).join('  ');
  const busy = `load ${loadavg()[0].toFixed(1)} on ${cpus().length} processors`;
  console.log(`\n${title} (${busy})\n${cells.map(line).join('\n')}\n`);
}

/** The least value that so many percent of them don't exceed. */
export function percentile(values: number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)];
}

export const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1);
