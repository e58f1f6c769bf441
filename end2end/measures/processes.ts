// What /proc says of a browser's processes.
import { readFileSync } from 'node:fs';
import { processesOf, stat } from '../tests/process_group.ts';

/** In bytes. */
export interface Memory {
  /** All that is resident, with what is shared. */
  resident: number;
  /** What nobody shares. */
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

/** A page, whatever drives it. */
interface Evaluates {
  evaluate(run: () => void): Promise<unknown>;
}

/** How the processes that show pages are called: in Chromium, Firefox and WebKit. */
const RENDERER = /--type=renderer|-contentproc.* tab$|WebKitWebProcess/;

/** The process that shows this page: no protocol tells it, so it is the one that works when the page does. */
export async function rendererOf(page: Evaluates, browser: number): Promise<number> {
  const before = new Map(renderers(browser).map((pid) => [pid, ticks(pid)]));
  await page.evaluate(() => {
    for (const end = performance.now() + 500; performance.now() < end; );
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

/** Time on a processor. */
function ticks(pid: number): number {
  const fields = stat(pid);
  return Number(fields[11]) + Number(fields[12]);
}
