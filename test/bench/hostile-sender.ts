import { parentPort, workerData } from "node:worker_threads";

/** A request, and what it is answered with. */
export interface SentRequest {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly status: number;
}

/** While too much is in progress, large bodies are refused. */
const BUSY = [429, 503];

/** Sends its request until it is ended, and says when the first one has been answered: that loads what others use. */
const { url, headers, body, status } = workerData as SentRequest;
for (;;) {
  const answer = await fetch(url, { method: "POST", headers, body });
  const text = await answer.text();
  if (answer.status !== status && !BUSY.includes(answer.status)) {
    throw new Error(`${url} answered ${answer.status}: ${text}`);
  }
  parentPort?.postMessage(answer.status);
}
