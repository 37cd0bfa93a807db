/** The values of a body with a JSON value a line, one after the other as they arrive. Throws SyntaxError for a line that is none. */
export async function* valuesOfLines(body: ReadableStream<Uint8Array>): AsyncGenerator {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      rest += done ? decoder.decode() : decoder.decode(value, { stream: true });
      const lines = rest.split("\n");
      rest = done ? "" : (lines.pop() ?? "");
      for (const line of lines) if (line.trim() !== "") yield JSON.parse(line);
      if (done) return;
    }
  } finally {
    // Of a reader that stops early, the server need not send the rest.
    await reader.cancel();
  }
}
