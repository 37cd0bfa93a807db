import { fileURLToPath } from "node:url";
import { MessageChannel, type MessagePort, receiveMessageOnPort } from "node:worker_threads";
import type { Piscina } from "piscina";
import { LoopPace } from "../process/event-loop.js";
import { MalformedJson, NotUtf8 } from "./parse.js";
import { JoinedSlices, type Slice, type ThreadResult, type ThreadTask } from "./parse-worker.js";

const WORKER = new URL("./parse-worker.js", import.meta.url);
/** The thread ends when it was idle for so long. */
const IDLE_MS = 10_000;

let pool: Promise<Piscina> | undefined;

/**
 * Parses large JSON in a separate thread, which takes a fifth of a second for twenty megabytes, and receives the result in
 * slices between which the event loop serves others. The thread starts with the first text and does not keep the process
 * alive. The buffer of the bytes is given away. Throws NotUtf8 and MalformedJson, whose message begins with `subject`.
 */
export async function parseLargeJson(bytes: Uint8Array<ArrayBuffer>, subject: string): Promise<unknown> {
  const threads = await (pool ??= openPool());
  const { port1: received, port2: port } = new MessageChannel();
  try {
    const task: ThreadTask = { bytes, subject, port };
    const running: Promise<unknown> = threads.run(task, { name: "parse", transferList: [bytes.buffer, port] });
    const result = (await running) as ThreadResult;
    if (result === "parsed") return await joined(received);
    throw result === "not-utf8" ? new NotUtf8() : new MalformedJson(result.malformed);
  } finally {
    received.close();
  }
}

/** All slices have been sent. A listener would be called for all of them in one turn. */
async function joined(received: MessagePort): Promise<unknown> {
  const whole = new JoinedSlices();
  const pace = new LoopPace();
  for (;;) {
    await pace.step();
    const next = receiveMessageOnPort(received) as { readonly message: Slice } | undefined;
    if (next === undefined) return whole.value;
    whole.add(next.message);
  }
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
