// Data URLs (RFC 2397), in which both of OpenAI's dialects embed bytes.

const DATA_URL = /^data:([^;,]+)(?:;[^,]*)?;base64,(.*)$/s;

/** A content as `contents.js` expects it. A URL without bytes yields no `data`. */
export function fromDataUrl(type, url) {
  const [, media_type, data] = DATA_URL.exec(url ?? '') ?? [];
  return { type, media_type, data };
}
