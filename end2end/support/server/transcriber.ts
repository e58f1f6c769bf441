// A server whose transcriber understands one sentence, whatever is said.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from './vidence.ts';

export const testWithTranscriber = test.extend({
  flags: async ({}, use) => {
    const segments = [{ start: 0.1, end: 1.2, text: 'Look <here> & there.' }];
    const transcriber = createServer((request, answer) => {
      request.resume().on('end', () => answer.end(JSON.stringify({ segments })));
    });
    await once(transcriber.listen(0, '127.0.0.1'), 'listening');
    const { port } = transcriber.address() as AddressInfo;
    await use(['--transcriber-url', `http://127.0.0.1:${port}`]);
    transcriber.close();
  },
});
