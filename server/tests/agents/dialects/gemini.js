// Google's generateContent: https://ai.google.dev/api/generate-content

import { countTokens } from '../contents.js';
import { eventStream, plainJson } from './wire.js';

const STREAM = ':streamGenerateContent';

export const gemini = {
  serves: (path) => path.startsWith('/v1beta/models/'),

  countsTokens: (path) => path.endsWith(':countTokens'),

  tokenCount: ({ contents = [] }) => ({
    totalTokens: countTokens(contents.flatMap(({ parts }) => parts.flatMap(content))),
  }),

  tools: (body) =>
    (body.tools ?? [])
      .flatMap((tool) => tool.functionDeclarations ?? [])
      .map(({ name }) => ({ name })),

  /**
   * A result is a part of its own. Its bytes are nested in it or beside it, depending on the model's name.
   */
  afterCall({ contents }) {
    const at = contents.findLastIndex(({ parts }) => parts.some((part) => part.functionCall));
    if (at < 0) return undefined;
    return contents.slice(at + 1).flatMap(({ parts }) => parts.flatMap(content));
  },

  answer(turn, path, body) {
    const part = turn.call
      ? { functionCall: { name: turn.call.name, args: turn.call.args } }
      : { text: turn.text };
    const response = {
      candidates: [{ index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
    };
    return path.endsWith(STREAM) ? eventStream([{ data: response }]) : plainJson(response);
  },
};

function content({ text, inlineData, fileData, functionResponse }) {
  if (text !== undefined) return [{ type: 'text', text }];
  if (inlineData) {
    return [{ type: 'inlineData', media_type: inlineData.mimeType, data: inlineData.data }];
  }
  if (fileData) return [{ type: 'fileData', media_type: fileData.mimeType }];
  if (!functionResponse) return [{ type: 'unknown' }];
  const { response, parts = [] } = functionResponse;
  return [...strings(response).map((it) => ({ type: 'text', text: it })), ...parts.flatMap(content)];
}

/** All strings of a result, an object whose keys the program chooses. */
function strings(value) {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value ? Object.values(value).flatMap(strings) : [];
}
