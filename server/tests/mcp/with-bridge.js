// Creates and deletes a request through the bridge that the guide names for Claude Desktop: node with-bridge.js URL

import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const [url] = process.argv.slice(2);

const guide = await (await fetch(new URL('/docs/mcp.md', url))).text();
const [section] = guide.split(/^#{2,3} /m).filter((it) => it.startsWith('Claude Desktop\n'));
const snippet = /^```json\n(.*?)^```$/ms.exec(section)[1];
const { command, args } = JSON.parse(snippet).mcpServers.vidence;
const [yes, bridge, ...rest] = args;
assert.deepEqual([command, yes, bridge], ['npx', '-y', 'mcp-remote']);

const client = new Client({ name: 'claude-ai', version: '1' });
await client.connect(
  new StdioClientTransport({
    // As npx runs it, in the installed version.
    command: process.execPath,
    args: [fileURLToPath(new URL(`node_modules/.bin/${bridge}`, import.meta.url)), ...rest],
    env: { HOME: process.env.HOME, PATH: process.env.PATH, NO_PROXY: '127.0.0.1' },
    // It logs each step.
    stderr: 'ignore',
  }),
);
const call = async (name, args) => {
  const answer = await client.callTool({ name, arguments: args });
  return { isError: answer.isError, ...JSON.parse(answer.content[0].text) };
};
const { request_id, access_token, status } = await call('request_video_evidence', {
  prompt: 'Show the dent.',
  expires_in_hours: 1,
});
assert.equal(status, 'awaiting_submission');
const credentials = { request_id, access_token };
assert.equal((await call('get_video_evidence', credentials)).status, 'awaiting_submission');
assert.equal((await call('delete_video_request', credentials)).deleted, true);
assert.equal((await call('get_video_evidence', credentials)).error.code, 'not_found');
await client.close();
