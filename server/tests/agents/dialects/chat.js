// OpenAI's Chat Completions, which other vendors' servers implement as well:
// https://platform.openai.com/docs/api-reference/chat

import { fromDataUrl } from './data_url.js';
import { eventStream, plainJson } from './wire.js';

const CALL_ID = 'call_script';

export const chat = {
  serves: (path) => path === '/v1/chat/completions',

  countsTokens: () => false,

  tools: (body) => (body.tools ?? []).map((tool) => ({ name: tool.function.name })),

  /** A tool message holds text alone: its pictures follow in messages of the user role. */
  afterCall({ messages }) {
    const calls = (message) => (message.tool_calls ?? []).some(({ id }) => id === CALL_ID);
    const at = messages.findLastIndex(calls);
    if (at < 0) return undefined;
    return messages.slice(at + 1).flatMap(({ content }) => {
      if (typeof content === 'string') return [{ type: 'text', text: content }];
      return (content ?? []).map(part);
    });
  },

  answer(turn, _path, body) {
    const message = { role: 'assistant', ...(turn.call ? call(turn.call) : { content: turn.text }) };
    const finish_reason = turn.call ? 'tool_calls' : 'stop';
    const head = { id: 'chatcmpl-script', created: 0, model: body.model };
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    if (!body.stream) {
      const choices = [{ index: 0, message, finish_reason }];
      return plainJson({ ...head, object: 'chat.completion', choices, usage });
    }
    const chunk = (delta, reason) => ({
      ...head,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, finish_reason: reason }],
    });
    const chunks = [chunk(message, null), { ...chunk({}, finish_reason), usage }, '[DONE]'];
    return eventStream(chunks.map((data) => ({ data })));
  },
};

const call = ({ name, args }) => ({
  content: null,
  tool_calls: [
    {
      index: 0,
      id: CALL_ID,
      type: 'function',
      function: { name, arguments: JSON.stringify(args) },
    },
  ],
});

function part({ type, text, image_url, video_url, file }) {
  if (text !== undefined) return { type: 'text', text };
  return fromDataUrl(type, image_url?.url ?? video_url?.url ?? file?.file_data);
}
