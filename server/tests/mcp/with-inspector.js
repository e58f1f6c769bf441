// Tells the story with the Inspector, one run of it for each call: node with-inspector.js URL ERA VERSION
// ERA is what it calls a generation of the protocol, VERSION what is to come of it. It keeps files at HOME.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { tell } from './story.js';

const [url, era, version] = process.argv.slice(2);

const INSPECTOR = fileURLToPath(
  new URL('node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js', import.meta.url),
);

/** How it ends when a tool says that it failed. */
const TOOL_FAILED = 5;

/** More than any answer takes. */
const BYTES = 16 << 20;

/** What it prints of the answer to this. */
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
// Strictly: it fails where a schema has anything that some client can't read.
const { tools } = await inspect('tools/list', '--strict');
await tell(
  tools.map((tool) => tool.name),
  (name, args) => inspect('tools/call', '--tool-name', name, '--tool-args-json', JSON.stringify(args)),
);
