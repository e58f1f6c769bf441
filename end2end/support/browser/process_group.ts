// What /proc says of the processes in a group, which is how a browser's processes are found.
import { readFileSync, readdirSync } from 'node:fs';

export interface Process {
  pid: number;
  /** As the kernel knows it: the first 15 characters. */
  name: string;
}

/** The running processes of a group. One that ended is left out, even if its parent hasn't noticed yet. */
export function processesOf(group: number): Process[] {
  const pids = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
  return pids.flatMap((pid) => {
    try {
      const [, , processGroup] = stat(pid);
      return isRunning(pid) && Number(processGroup) === group ? [{ pid, name: nameOf(pid) }] : [];
    } catch {
      // It ended before it was read.
      return [];
    }
  });
}

/** Whether this process runs. One that ended doesn’t, even if its parent hasn’t noticed yet. */
export function isRunning(pid: number): boolean {
  try {
    const [state] = stat(pid);
    return state !== 'Z' && state !== 'X';
  } catch {
    return false;
  }
}

/** The fields of `/proc/PID/stat` from the third one on: the second is a name with blanks in it. */
export function stat(pid: number): string[] {
  return statFields(`/proc/${pid}/stat`);
}

function statFields(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

/**
 * Whether the main thread waits for a lock all the time that this looks, and uses no processor time. Only root is told, and
 * only by kernels that name what a thread waits in.
 */
export async function waitsForLock(pid: number): Promise<boolean> {
  const seen = new Set<string>();
  for (let looks = 0; looks < 20; looks++) {
    if (looks > 0) await new Promise((done) => setTimeout(done, 100));
    const waits = mainThread(pid);
    if (!waits?.place.includes('futex')) return false;
    seen.add(waits.ticks);
  }
  return seen.size === 1;
}

/** What the main thread of a process does, for an error: its state, what it waits in, and its processor time in ticks. */
export function describeMainThread({ pid, name }: Process): string {
  const thread = mainThread(pid);
  return thread ? `${name} ${thread.state} ${thread.place} ${thread.ticks}` : `${name} ended`;
}

function mainThread(pid: number): { state: string; place: string; ticks: string } | undefined {
  try {
    // Not of the process: its times would be the sums of all threads.
    const thread = `/proc/${pid}/task/${pid}`;
    const fields = statFields(`${thread}/stat`);
    const place = readFileSync(`${thread}/wchan`, 'utf8');
    return { state: fields[0]!, place, ticks: `${fields[11]}+${fields[12]}` };
  } catch {
    return undefined;
  }
}

function nameOf(pid: number): string {
  return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
}
