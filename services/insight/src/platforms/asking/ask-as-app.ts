import type { AppTokens } from "./app-tokens.js";
import type { JsonAnswer } from "./ask-json.js";

/**
 * Asks with the token of an app; if the platform rejects it, once more with a new one. The answer may still be a rejection.
 * `ask` sends one request.
 */
export async function askAsApp(
  tokens: AppTokens,
  ask: (token: string) => Promise<JsonAnswer>,
  isRejected: (answer: JsonAnswer) => boolean = ({ status }) => status === 401,
): Promise<JsonAnswer> {
  const token = await tokens.get();
  const answer = await ask(token);
  if (!isRejected(answer)) return answer;
  tokens.reject(token);
  return ask(await tokens.get());
}
