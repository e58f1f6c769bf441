// Memory and renderer of a browser, read from /proc.
import { readFileSync } from 'node:fs';
import { processesOf, stat } from '../support/browser/process_group.ts';

/** Memory of a process, in bytes. */
export interface Memory {
  /** Resident memory, including what is shared. */
  resident: number;
  /** Private memory. */
  own: number;
}

export function memory(pid: number): Memory {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const kilobytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(rollup)![1]);
  return {
    resident: 1024 * kilobytes('Rss'),
    own: 1024 * (kilobytes('Private_Clean') + kilobytes('Private_Dirty')),
  };
}

/** A page of any driver. */
interface Evaluates {
  evaluate(run: () => void): Promise<unknown>;
}

/** Matches the command lines of renderers in Chromium, Firefox and WebKit. */
const RENDERER = /--type=renderer|-contentproc.* tab$|WebKitWebProcess/;

/** Finds the renderer of this page. No protocol tells it, so it is the process that is busy when the page is. */
export async function rendererOf(page: Evaluates, browser: number): Promise<number> {
  const before = new Map(renderers(browser).map((pid) => [pid, ticks(pid)]));
  await page.evaluate(() => {
    for (const end = performance.now() + 500; performance.now() < end;);
  });
  const worked = (pid: number) => ticks(pid) - (before.get(pid) ?? 0);
  return renderers(browser).reduce((most, pid) => (worked(pid) > worked(most) ? pid : most));
}

function renderers(browser: number): number[] {
  return processesOf(browser).flatMap(({ pid }) => {
    try {
      return RENDERER.test(commandLine(pid)) ? [pid] : [];
    } catch {
      // It ended before it was read.
      return [];
    }
  });
}

function commandLine(pid: number): string {
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
}

/** Processor time of a process, in clock ticks. */
function ticks(pid: number): number {
  const fields = stat(pid);
  return Number(fields[11]) + Number(fields[12]);
}
