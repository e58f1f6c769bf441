// A model server that follows a script: it calls the tool once, as soon as a program offers it, and answers
// everything after that with "done". It keeps all bodies: a model sees what they hold, and nothing else.

import { once } from 'node:events';
import { createServer } from 'node:http';

import { anthropic } from './dialects/anthropic.js';
import { chat } from './dialects/chat.js';
import { gemini } from './dialects/gemini.js';
import { responses } from './dialects/responses.js';

const DIALECTS = [anthropic, chat, gemini, responses];

const LAST_WORD = 'done';

/**
 * Starts it on a free port of this machine. Its only wish is `{ server, tool, args }`: a call of this tool, by
 * the name that the MCP server gives it, which programs put something in front of; and `server` is their name
 * for that server. `requests` grows: what was asked, and in `turn` what the model answered.
 */
export async function startModel(wish) {
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
    const turn = nextTurn(dialect, body, wish);
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
 * The call, if the body offers the tool and holds no result yet. Programs also ask for titles and summaries,
 * for which they offer no tools: those get the last word.
 */
function nextTurn(dialect, body, wish) {
  if (dialect.afterCall(body) !== undefined) return { text: LAST_WORD };
  const offered = dialect.tools(body).find(({ name }) => name?.endsWith(wish.tool));
  if (offered) return { call: { ...offered, args: wish.args } };
  return dialect.detour?.(body, wish) ?? { text: LAST_WORD };
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
