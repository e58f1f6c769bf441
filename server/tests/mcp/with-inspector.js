// Runs the lifecycle with the Inspector, one process a call: node with-inspector.js URL ERA VERSION
// ERA is the Inspector's name of a protocol generation, VERSION the expected version. It writes files to HOME.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { runLifecycle } from './lifecycle.js';

const [url, era, version] = process.argv.slice(2);

const INSPECTOR = fileURLToPath(
  new URL('node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js', import.meta.url),
);

/** Exit status if the tool reported an error. */
const TOOL_FAILED = 5;

/** More than any response takes. */
const BYTES = 16 << 20;

/** Calls a method and returns its result. */
function inspect(method, ...more) {
  const words = [INSPECTOR, '--cli', url, '--transport', 'http', '--protocol-era', era];
  words.push('--method', method, '--format', 'json', '--quiet', ...more);
  return new Promise((resolve, reject) => {
    execFile(process.execPath, words, { maxBuffer: BYTES }, (error, printed, complaints) => {
      if (error && error.code !== TOOL_FAILED) {
        reject(error);
        return;
      }
      assert(error || complaints === '', complaints);
      const { result } = JSON.parse(printed);
      assert.equal(result.isError === true, error !== null);
      resolve(result);
    });
  });
}

const begun = await inspect('initialize');
assert.equal(begun.protocolVersion, version);
assert.equal(begun.serverInfo.name, 'vidence');
// Strict mode fails for schemas that some clients can't read.
const { tools } = await inspect('tools/list', '--strict');
await runLifecycle(
  tools.map((tool) => tool.name),
  (name, args) => inspect('tools/call', '--tool-name', name, '--tool-args-json', JSON.stringify(args)),
);
