import { expect } from "vitest";
import { isWholeSentence } from "../support/sentences.js";
import type { Answer, SendOptions } from "../support/server.js";
import type { Failure } from "./routes.js";

/** A refusal in the words of either interface. */
export interface Refusal {
  sentence: string;
  code: string;
  fields: { field: string; message: string }[];
}

/** A request to the REST interface. */
export type Request = readonly [method: string, route: string, options?: SendOptions];

interface Sender {
  send(method: string, route: string, options: SendOptions): Promise<Answer>;
}

/** Sends a request that must be refused. */
export async function refusalByRest(sender: Sender, token: string, request: Request): Promise<Refusal> {
  const [method, route, options] = request;
  const answer = await sender.send(method, route, { authorization: `Bearer ${token}`, ...options });
  expect(answer.status, answer.text).toBeGreaterThanOrEqual(400);
  const { error, code, details = [] } = answer.body as Failure;
  return { sentence: error, code, fields: details };
}

export function expectSentences({ sentence, fields }: Refusal): void {
  expect(sentence).toSatisfy(isWholeSentence);
  for (const { message } of fields) expect(message).toSatisfy(isWholeSentence);
}
