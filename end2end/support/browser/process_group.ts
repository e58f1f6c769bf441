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
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

function nameOf(pid: number): string {
  return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
}
