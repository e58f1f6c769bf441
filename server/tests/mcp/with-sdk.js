// Runs the lifecycle with version 1 of the TypeScript SDK: node with-sdk.js URL

import assert from 'node:assert/strict';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

import { runLifecycle } from './lifecycle.js';

const [url] = process.argv.slice(2);

const client = new Client({ name: 'lifecycle', version: '1' });
const transport = new StreamableHTTPClientTransport(new URL(url));
await client.connect(transport);
assert.equal(transport.protocolVersion, '2025-11-25');
// The client validates each result against the schemas that it reads here.
const { tools } = await client.listTools();
await runLifecycle(
  tools.map((tool) => tool.name),
  (name, args) => client.callTool({ name, arguments: args }),
);
await client.close();
