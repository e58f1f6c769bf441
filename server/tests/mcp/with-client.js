// Runs the lifecycle with version 2 of the TypeScript SDK: node with-client.js URL

import assert from 'node:assert/strict';

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

import { runLifecycle } from './lifecycle.js';

const [url] = process.argv.slice(2);

const client = new Client(
  { name: 'lifecycle', version: '1' },
  { versionNegotiation: { mode: 'auto' } },
);
await client.connect(new StreamableHTTPClientTransport(new URL(url)));
assert.equal(client.getNegotiatedProtocolVersion(), '2026-07-28');
// The client validates each result against the schemas that it reads here.
const { tools } = await client.listTools();
await runLifecycle(
  tools.map((tool) => tool.name),
  (name, args) => client.callTool({ name, arguments: args }),
);
await client.close();
