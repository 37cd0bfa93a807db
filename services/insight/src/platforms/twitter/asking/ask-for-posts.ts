import { askJson, type JsonAnswer } from "../../asking/ask-json.js";
import { wasUnsent } from "../../asking/unsent.js";
import { PlatformError } from "../../port/platform-error.js";
import type { PlatformDeps } from "../../port/platform.js";
import type { Reservation } from "../../spending/paced-budget.js";
import type { TwitterBudgets } from "../budgets.js";
import { failureOfAnswer, SERVICE } from "./failure.js";

export interface AskingDeps extends Pick<PlatformDeps, "http" | "now"> {
  readonly budgets: TwitterBudgets;
  readonly token: string;
}

interface PostsQuestion<P> {
  readonly url: string;
  /** Greatest number of posts that the answer may hold: X bills each. */
  readonly posts: number;
  readonly preview: boolean;
  readonly signal: AbortSignal;
  /** Undefined if the answer holds no posts in X's form. */
  readonly read: (body: unknown) => P | undefined;
}

/** Asks X for posts that were reserved before. Throws PlatformError, or HttpFailure if there was no answer. */
export async function askForPosts<P extends { readonly data?: unknown }>(
  { http, budgets, token, now }: AskingDeps,
  { url, posts, preview, signal, read }: PostsQuestion<P>,
): Promise<{ answer: JsonAnswer; page: P }> {
  const reservation = await budgets.reserve(posts, { preview });
  const headers = { Authorization: `Bearer ${token}` };
  const answer = await askJson(http, { url, headers, signal, service: SERVICE }).catch((error: unknown) => {
    settleFailure(reservation, error);
    throw error;
  });
  if (answer.status !== 200) {
    reservation.settle(0);
    throw failureOfAnswer(answer, now());
  }
  const page = read(answer.body);
  if (page === undefined) throw new PlatformError("temporary", "X answers with no page of posts. It is asked again.");
  reservation.settle(Array.isArray(page.data) ? page.data.length : 0);
  return { answer, page };
}

/** What X may have answered counts as read, although it did not arrive. */
function settleFailure(reservation: Reservation, error: unknown): void {
  if (wasUnsent(error)) reservation.settle(0);
}
