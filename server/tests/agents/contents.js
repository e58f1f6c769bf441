// What a tool's result has become on its way to the model, in a form that is the same for all dialects.

import { jpegSize } from './jpeg.js';

const CHARACTERS_PER_TOKEN = 4;
const PIXELS_PER_TOKEN = 750;

const BASE64 = /[A-Za-z0-9+/=]+/g;

/**
 * Sums up contents: each is `{ type, text }`, or `{ type, media_type, data }` with its bytes in base64.
 * `order` has one word for each, since programs move pictures away from the text that goes with them.
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
 * What contents cost, about as Anthropic counts: programs ask before they pass on something long, and cut it
 * where the answer is too high. https://platform.claude.com/docs/en/build-with-claude/vision
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

/** Its size is that of the picture itself: programs shrink pictures, and may say otherwise. */
function picture({ media_type, data = '' }) {
  const bytes = Buffer.from(data, 'base64');
  return { media_type, bytes: bytes.length, ...jpegSize(bytes) };
}

const file = ({ type, media_type, data = '' }) => ({
  type,
  media_type,
  bytes: Buffer.from(data, 'base64').length,
});

/** Long where a program passes bytes on as text: words and identifiers stay below 100. */
function longestRun(texts) {
  const runs = texts.flatMap((text) => text.match(BASE64) ?? []);
  return runs.reduce((longest, run) => Math.max(longest, run.length), 0);
}

const total = (numbers) => numbers.reduce((sum, number) => sum + number, 0);
