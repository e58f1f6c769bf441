// Runs an agent's program to its exit, in a home folder of its own that is removed afterwards. A dead proxy keeps it
// from reaching anything but this machine.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Timeout of a program in milliseconds. */
const TIME_LIMIT = 120_000;

const BINARIES = fileURLToPath(new URL('node_modules/.bin', import.meta.url));

/** Nothing listens there, so that telemetry and updates fail at once. */
const DEAD_PROXY = 'http://127.0.0.1:9';

/**
 * Returns the exit status, or the signal that killed it, and all output. A `binary` without a folder is one
 * of the Node packages.
 */
export async function runProgram({ binary }, { files, environment, arguments: args }) {
  const home = await mkdtemp(path.join(tmpdir(), 'agent-'));
  try {
    for (const [file, text] of Object.entries(files)) {
      const place = path.join(home, file);
      await mkdir(path.dirname(place), { recursive: true });
      await writeFile(place, text);
    }
    return await run(path.resolve(BINARIES, binary), args, home, environment);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

/** Of the environment it inherits only PATH: keys and settings of the user stay out. */
async function run(binary, args, home, environment) {
  const child = spawn(binary, args, {
    cwd: home,
    // A process group of its own, since it starts children.
    detached: true,
    env: {
      HOME: home,
      TMPDIR: home,
      PATH: `${BINARIES}:${process.env.PATH}`,
      HTTP_PROXY: DEAD_PROXY,
      HTTPS_PROXY: DEAD_PROXY,
      NO_PROXY: '127.0.0.1',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => (output += text));
  }
  const end = () => endGroup(child.pid);
  process.once('exit', end);
  const limit = setTimeout(end, TIME_LIMIT);
  const [status, signal] = await once(child, 'close');
  clearTimeout(limit);
  process.off('exit', end);
  end();
  return { status: status ?? signal, output };
}

/** Kills a program with all its children. */
function endGroup(leader) {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}
