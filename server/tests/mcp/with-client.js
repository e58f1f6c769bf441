// Tells the story with the second line of the TypeScript client: node with-client.js URL

import assert from 'node:assert/strict';

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

import { tell } from './story.js';

const [url] = process.argv.slice(2);

const client = new Client(
  { name: 'story', version: '1' },
  { versionNegotiation: { mode: 'auto' } },
);
await client.connect(new StreamableHTTPClientTransport(new URL(url)));
assert.equal(client.getNegotiatedProtocolVersion(), '2026-07-28');
// It checks what each tool answers by the schema that it read here.
const { tools } = await client.listTools();
await tell(
  tools.map((tool) => tool.name),
  (name, args) => client.callTool({ name, arguments: args }),
);
await client.close();
