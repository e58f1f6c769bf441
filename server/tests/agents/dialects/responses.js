// OpenAI's Responses: https://platform.openai.com/docs/api-reference/responses

import { fromDataUrl } from './data_url.js';
import { eventStream, plainJson } from './wire.js';

const CALL_ID = 'call_script';
const SEARCH_ID = 'call_search';

export const responses = {
  serves: (path) => path === '/v1/responses',

  countsTokens: () => false,

  /** The input lists tools as well: those that a search found, and for GPT-6 all of them. */
  tools: ({ tools = [], input }) =>
    [...tools, ...items(input).flatMap((it) => it.tools ?? [])].flatMap(toolsIn),

  /**
   * Codex offers the tools of MCP servers to GPT-5 only after a search, and to GPT-6 not at all: that model
   * writes scripts that call them.
   */
  detour(body, { server, tool, args }) {
    const tried = items(body.input).some((it) => it.call_id === SEARCH_ID);
    const offered = this.tools(body);
    // Without the server a script fails, and its error would pass for the tool's result.
    if (!JSON.stringify(body.input).includes(`mcp__${server}`)) return undefined;
    if (!tried && offered.some(({ type }) => type === 'tool_search')) return { search: tool };
    if (offered.some(({ name }) => name === 'exec')) {
      return { script: { name: 'exec', source: scriptFor(tool, args) } };
    }
    return undefined;
  },

  afterCall({ input }) {
    const all = items(input);
    const at = all.findIndex((it) => CALLS.includes(it.type) && it.call_id === CALL_ID);
    if (at < 0) return undefined;
    return all.slice(at + 1).flatMap(({ type, content, output }) => {
      const parts = content ?? output;
      if (typeof parts === 'string') return [{ type: 'text', text: parts }];
      return Array.isArray(parts) ? parts.map(part) : [{ type }];
    });
  },

  answer(turn, _path, body) {
    const item = itemFor(turn);
    const response = {
      id: 'resp_script',
      object: 'response',
      created_at: 0,
      status: 'completed',
      model: body.model,
      output: [item],
      usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
    };
    if (!body.stream) return plainJson(response);
    const events = [
      { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
      { type: 'response.output_item.added', output_index: 0, item },
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response },
    ];
    return eventStream(events.map((data) => ({ name: data.type, data })));
  },
};

const CALLS = ['custom_tool_call', 'function_call'];

const items = (input) => (Array.isArray(input) ? input : []);

/** The tools of one MCP server form a namespace, which a call has to repeat. */
const toolsIn = ({ type, name, tools }) =>
  type === 'namespace'
    ? tools.map((tool) => ({ type: tool.type, name: tool.name, namespace: name }))
    : [{ type, name }];

/**
 * A script in the style of Codex's own instructions: pictures are passed to `image`. Its first line keeps
 * Codex from an interim answer after 30 seconds.
 */
const scriptFor = (tool, args) => `// @exec: {"yield_time_ms": 100000}
  const { name } = ALL_TOOLS.find(({ name }) => name.endsWith(${JSON.stringify(tool)}));
  const result = await tools[name](${JSON.stringify(args)});
  for (const block of result.content) {
    if (block.type === 'image') image(block);
    else text(block.text ?? block);
  }
`;

function itemFor({ call, search, script, text }) {
  if (call) {
    const { name, namespace, args } = call;
    const id = { id: 'fc_script', call_id: CALL_ID };
    return { type: 'function_call', ...id, name, namespace, arguments: JSON.stringify(args) };
  }
  if (script) {
    const id = { id: 'ctc_script', call_id: CALL_ID };
    return { type: 'custom_tool_call', ...id, name: script.name, input: script.source };
  }
  if (search) {
    const id = { id: 'tsc_script', call_id: SEARCH_ID };
    return { type: 'tool_search_call', ...id, execution: 'client', arguments: { query: search } };
  }
  const content = [{ type: 'output_text', text, annotations: [] }];
  return { type: 'message', id: 'msg_script', role: 'assistant', content };
}

function part({ type, text, image_url, file_data }) {
  if (text !== undefined) return { type: 'text', text };
  return fromDataUrl(type, image_url ?? file_data);
}
