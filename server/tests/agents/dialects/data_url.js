// How both of OpenAI's dialects carry bytes: RFC 2397.

const DATA_URL = /^data:([^;,]+)(?:;[^,]*)?;base64,(.*)$/s;

/** A content as `contents.js` wants it. One that merely points to bytes has no `data`. */
export function fromDataUrl(type, url) {
  const [, media_type, data] = DATA_URL.exec(url ?? '') ?? [];
  return { type, media_type, data };
}
