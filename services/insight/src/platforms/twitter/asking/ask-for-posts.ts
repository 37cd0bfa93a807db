import { fetchJson, type JsonResponse } from "../../http-json.js";
import { wasUnsent } from "../../budget.js";
import { type PlatformDeps, PlatformError } from "../../connector.js";
import type { Reservation } from "../../budget.js";
import type { TwitterBudgets } from "../budgets.js";
import { errorOfResponse, SERVICE } from "./failure.js";

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
): Promise<{ response: JsonResponse; page: P }> {
  const reservation = await budgets.reserve(posts, { preview });
  const headers = { Authorization: `Bearer ${token}` };
  const response = await fetchJson(http, { url, headers, signal, service: SERVICE }).catch((error: unknown) => {
    settleFailure(reservation, error);
    throw error;
  });
  if (response.status !== 200) {
    reservation.commit(0);
    throw errorOfResponse(response, now());
  }
  const page = read(response.body);
  if (page === undefined) throw new PlatformError("temporary", "X returns no page of posts. It will be retried.");
  reservation.commit(Array.isArray(page.data) ? page.data.length : 0);
  return { response, page };
}

/** What X may have answered counts as read, although it did not arrive. */
function settleFailure(reservation: Reservation, error: unknown): void {
  if (wasUnsent(error)) reservation.commit(0);
}
