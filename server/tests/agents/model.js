// A scripted model server: it calls the tool once, as soon as a program offers it, and answers everything after that
// with "done". It keeps all request bodies: they are all that a model sees.

import { once } from 'node:events';
import { createServer } from 'node:http';

import { anthropic } from './dialects/anthropic.js';
import { chat } from './dialects/chat.js';
import { gemini } from './dialects/gemini.js';
import { responses } from './dialects/responses.js';

const DIALECTS = [anthropic, chat, gemini, responses];

const FINAL_TEXT = 'done';

/**
 * Starts the server on a free loopback port. `wanted` is `{ server, tool, args }`: `tool` is the name that
 * the MCP server gives it, which programs prefix, and `server` their name for that server. `requests`
 * collects the requests, each with the model's answer in `turn`.
 */
export async function startModel(wanted) {
  const requests = [];
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, 'http://model');
    const raw = await read(request);
    const dialect = DIALECTS.find((it) => it.serves(pathname));
    if (request.method !== 'POST' || !dialect) {
      send(response, 404, 'application/json', '{"error":{"message":"not part of the script"}}');
      return;
    }
    const body = JSON.parse(raw.toString());
    if (dialect.countsTokens(pathname)) {
      send(response, 200, 'application/json', JSON.stringify(dialect.tokenCount(body)));
      return;
    }
    const turn = nextTurn(dialect, body, wanted);
    requests.push({ dialect, path: pathname, bytes: raw.length, body, turn });
    const { type, text } = dialect.answer(turn, pathname, body);
    send(response, 200, type, text);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    requests,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/**
 * A call of the tool, if the body offers it and holds no result yet. Programs also request titles and
 * summaries, without tools: those get the final answer.
 */
function nextTurn(dialect, body, wanted) {
  if (dialect.afterCall(body) !== undefined) return { text: FINAL_TEXT };
  const offered = dialect.tools(body).find(({ name }) => name?.endsWith(wanted.tool));
  if (offered) return { call: { ...offered, args: wanted.args } };
  return dialect.detour?.(body, wanted) ?? { text: FINAL_TEXT };
}

async function read(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function send(response, status, type, text) {
  response.writeHead(status, { 'Content-Type': type });
  response.end(text);
}
