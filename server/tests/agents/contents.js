// Summaries of a tool's result as it reaches the model, in one form for all dialects.

import { jpegSize } from './jpeg.js';

const CHARACTERS_PER_TOKEN = 4;
const PIXELS_PER_TOKEN = 750;

const BASE64 = /[A-Za-z0-9+/=]+/g;

/**
 * Summarizes contents: each is `{ type, text }`, or `{ type, media_type, data }` with its bytes in base64.
 * `order` has one word for each, since programs move pictures away from their text.
 */
export function summarize(contents) {
  const texts = contents.filter((it) => it.text !== undefined).map(({ text }) => text);
  const others = contents.filter(({ text }) => text === undefined);
  return {
    order: contents.map(kind),
    pictures: others.filter(isPicture).map(picture),
    texts,
    text_characters: total(texts.map((text) => text.length)),
    longest_base64_run: longestRun(texts),
    other: others.filter((it) => !isPicture(it)).map(file),
  };
}

/**
 * The number of tokens, about as Anthropic counts: programs ask before they pass on a long result, and
 * truncate it if the number is too high. https://platform.claude.com/docs/en/build-with-claude/vision
 */
export function countTokens(contents) {
  const cost = (it) => {
    if (it.text !== undefined) return it.text.length / CHARACTERS_PER_TOKEN;
    const { width = 0, height = 0 } = picture(it);
    return (width * height) / PIXELS_PER_TOKEN;
  };
  return Math.ceil(total(contents.map(cost)));
}

function kind(it) {
  if (it.text !== undefined) return 'text';
  return isPicture(it) ? 'picture' : 'other';
}

const isPicture = ({ media_type }) => media_type?.startsWith('image/') ?? false;

/** Media type, length and real dimensions: programs downscale pictures, and may report other dimensions. */
function picture({ media_type, data = '' }) {
  const bytes = Buffer.from(data, 'base64');
  return { media_type, bytes: bytes.length, ...jpegSize(bytes) };
}

const file = ({ type, media_type, data = '' }) => ({
  type,
  media_type,
  bytes: Buffer.from(data, 'base64').length,
});

/**
 * Length of the longest base64 run, which is long where a program passes bytes on as text: words and ids stay
 * below 100.
 */
function longestRun(texts) {
  const runs = texts.flatMap((text) => text.match(BASE64) ?? []);
  return runs.reduce((longest, run) => Math.max(longest, run.length), 0);
}

const total = (numbers) => numbers.reduce((sum, number) => sum + number, 0);
