import { fileURLToPath } from "node:url";
import type { Piscina } from "piscina";
import { MalformedJson, NotUtf8 } from "./parse.js";
import type { ThreadAnswer } from "./parse-worker.js";

const WORKER = new URL("./parse-worker.js", import.meta.url);
/** The thread ends when it was idle for so long. */
const IDLE_MS = 10_000;

let pool: Promise<Piscina> | undefined;

/**
 * Parses large JSON in a separate thread: decoding and parsing twenty megabytes takes a fifth of a second, the transfer
 * of the result a tenth of that. The thread starts with the first text and does not keep the process alive. The bytes are
 * given away. Throws NotUtf8 and MalformedJson, whose message begins with `subject`.
 */
export async function parseLargeJson(bytes: Uint8Array<ArrayBuffer>, subject: string): Promise<unknown> {
  const threads = await (pool ??= openPool());
  const running: Promise<unknown> = threads.run({ bytes, subject }, { name: "parse", transferList: [bytes.buffer] });
  const answer = (await running) as ThreadAnswer;
  if (answer === "not-utf8") throw new NotUtf8();
  if ("malformed" in answer) throw new MalformedJson(answer.malformed);
  return answer.value;
}

/** Loaded with the first large text: most processes have none. */
async function openPool(): Promise<Piscina> {
  const { Piscina } = await import("piscina");
  const opened = new Piscina({
    filename: fileURLToPath(WORKER),
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: IDLE_MS,
  });
  // A dying thread rejects its own text; without a listener, this event would end the process.
  opened.on("error", () => undefined);
  return opened;
}
