// The two forms in which a model's answer travels.

/** Server-sent events. The event's name is left out where the dialect has none. */
export function eventStream(events) {
  const lines = events.map(({ name, data }) => {
    const text = typeof data === 'string' ? data : JSON.stringify(data);
    return `${name ? `event: ${name}\n` : ''}data: ${text}\n\n`;
  });
  return { type: 'text/event-stream', text: lines.join('') };
}

/** One JSON document, for programs that ask for an answer in one piece. */
export const plainJson = (value) => ({ type: 'application/json', text: JSON.stringify(value) });
