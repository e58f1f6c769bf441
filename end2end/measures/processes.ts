// Memory and renderer of Chromium, read from /proc.
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { processesOf, stat } from '../support/browser/process_group.ts';

/** Memory of a process, in bytes. */
export interface Memory {
  /** All that is resident, shared or not. */
  rss: number;
  /** As `rss`, but what several processes share, as the program’s pages and frames, is divided among them. */
  pss: number;
}

export function memoryOf(pid: number): Memory {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const bytes = (name: string) => 1024 * Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(rollup)![1]);
  return { rss: bytes('Rss'), pss: bytes('Pss') };
}

/** The larger of `peak` and what the process has above an idle one, of RSS and of PSS. */
export function peakAbove(peak: Memory, pid: number, idlePid: number): Memory {
  const [own, idle] = [memoryOf(pid), memoryOf(idlePid)];
  return { rss: Math.max(peak.rss, own.rss - idle.rss), pss: Math.max(peak.pss, own.pss - idle.pss) };
}

/** What the command lines of Chromium’s renderers have in them. */
const RENDERER = '--type=renderer';

/** Finds the renderer of this page. No protocol tells it, so it is the process that is busy when the page is. */
export async function rendererOf(page: Page, browser: number): Promise<number> {
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
      return commandLine(pid).includes(RENDERER) ? [pid] : [];
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
