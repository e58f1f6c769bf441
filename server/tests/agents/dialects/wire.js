// The two encodings of a model's response.

/** Server-sent events. `name` is missing in dialects without event names. */
export function eventStream(events) {
  const lines = events.map(({ name, data }) => {
    const text = typeof data === 'string' ? data : JSON.stringify(data);
    return `${name ? `event: ${name}\n` : ''}data: ${text}\n\n`;
  });
  return { type: 'text/event-stream', text: lines.join('') };
}

/** A single JSON document, for programs that don't stream. */
export const plainJson = (value) => ({ type: 'application/json', text: JSON.stringify(value) });
