// Tells the story with the first line of the TypeScript client: node with-sdk.js URL

import assert from 'node:assert/strict';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

import { tell } from './story.js';

const [url] = process.argv.slice(2);

const client = new Client({ name: 'story', version: '1' });
const transport = new StreamableHTTPClientTransport(new URL(url));
await client.connect(transport);
assert.equal(transport.protocolVersion, '2025-11-25');
// It checks what each tool answers by the schema that it read here.
const { tools } = await client.listTools();
await tell(
  tools.map((tool) => tool.name),
  (name, args) => client.callTool({ name, arguments: args }),
);
await client.close();
