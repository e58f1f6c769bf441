// Anthropic's Messages: https://platform.claude.com/docs/en/api/messages

import { countTokens } from '../contents.js';
import { eventStream, plainJson } from './wire.js';

const CALL_ID = 'toolu_script';
const SEARCH_ID = 'toolu_search';

export const anthropic = {
  serves: (path) => path.startsWith('/v1/messages'),

  countsTokens: (path) => path.endsWith('/count_tokens'),

  tokenCount: ({ messages }) => ({
    input_tokens: countTokens(messages.flatMap((it) => blocksOf(it.content).flatMap(content))),
  }),

  tools: (body) => (body.tools ?? []).map(({ name }) => ({ name })),

  /** Claude Code defers tools of MCP servers until the model searches for them. */
  detour(body, { tool }) {
    const searches = this.tools(body).some(({ name }) => name === 'ToolSearch');
    const tried = body.messages.some(calls(SEARCH_ID));
    return searches && !tried ? { search: tool } : undefined;
  },

  /** The result, and whatever the program appends to it. */
  afterCall({ messages }) {
    const blocks = messages.flatMap((message) => blocksOf(message.content));
    const at = blocks.findIndex((it) => it.tool_use_id === CALL_ID);
    return at < 0 ? undefined : blocks.slice(at).flatMap(content);
  },

  answer(turn, _path, body) {
    const block = blockFor(turn);
    const message = {
      id: 'msg_script',
      type: 'message',
      role: 'assistant',
      model: body.model,
      content: [block],
      stop_reason: block.type === 'text' ? 'end_turn' : 'tool_use',
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 1 },
    };
    return body.stream ? eventStream(events(message, block)) : plainJson(message);
  },
};

const calls = (id) => (message) => blocksOf(message.content).some((it) => it.id === id);

function blockFor({ call, search, text }) {
  if (call) return { type: 'tool_use', id: CALL_ID, name: call.name, input: call.args };
  if (search) {
    return { type: 'tool_use', id: SEARCH_ID, name: 'ToolSearch', input: { query: search } };
  }
  return { type: 'text', text };
}

/** The stream events of a message: an empty block, then its content. */
function events(message, block) {
  const [empty, delta] =
    block.type === 'text'
      ? [{ ...block, text: '' }, { type: 'text_delta', text: block.text }]
      : [
          { ...block, input: {} },
          { type: 'input_json_delta', partial_json: JSON.stringify(block.input) },
        ];
  const { stop_reason, stop_sequence, usage } = message;
  return [
    { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
    { type: 'content_block_start', index: 0, content_block: empty },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason, stop_sequence }, usage },
    { type: 'message_stop' },
  ].map((data) => ({ name: data.type, data }));
}

const blocksOf = (content) =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? []);

/** A block as `contents.js` expects it; the blocks of a tool result are flattened. */
function content(block) {
  const { type, text, source } = block;
  if (type === 'tool_result') return blocksOf(block.content).flatMap(content);
  if (type === 'text') return [{ type: 'text', text }];
  if (source?.type === 'base64') {
    return [{ type, media_type: source.media_type, data: source.data }];
  }
  return [{ type }];
}
