import * as z from "zod";
import { askJson, type JsonAnswer } from "../../asking/ask-json.js";
import { maybe } from "../../asking/lenient.js";
import { wasUnsent } from "../../asking/unsent.js";
import { PlatformError } from "../../port/platform-error.js";
import type { PlatformDeps, PlatformSearch } from "../../port/platform.js";
import type { YoutubeBudgets, YoutubeQuota } from "../budgets.js";
import { failureOfAnswer, reasonsOf, SERVICE } from "./failure.js";

/** What connectors of YouTube ask with. */
export interface YoutubeDeps extends Pick<PlatformDeps, "http" | "now"> {
  readonly budgets: YoutubeBudgets;
  readonly quota: YoutubeQuota;
  readonly address: { readonly baseUrl: string; readonly key: string };
}

/** Who asks. */
export interface Asking {
  readonly search: Pick<PlatformSearch, "preview">;
  readonly signal: AbortSignal;
}

/** One request to the Data API. */
export interface Question {
  readonly method: "search" | "videos" | "channels" | "commentThreads" | "comments";
  readonly parameters: Readonly<Record<string, string>>;
  /** Reasons of errors that mean only that there is nothing to read, such as `videoNotFound`. Default: none. */
  readonly tolerated?: readonly string[];
}

const listSchema = z.object({
  kind: z.string().startsWith("youtube#"),
  items: z.unknown().optional(),
  nextPageToken: maybe(z.string().min(1)),
});

/** A list of YouTube; its items are not read yet. */
export interface YoutubeList {
  readonly items?: unknown;
  readonly nextPageToken?: string | undefined;
}

/**
 * Asks YouTube, after what it costs was reserved. Undefined for an error with a tolerated reason. Throws PlatformError, or
 * HttpFailure if there was no answer.
 */
export async function askYoutube(
  deps: YoutubeDeps,
  question: Question,
  { search, signal }: Asking,
): Promise<YoutubeList | undefined> {
  const { method, parameters, tolerated = [] } = question;
  const { http, budgets, address, now } = deps;
  const budget = method === "search" ? budgets.searches : budgets.units;
  const reservation = await budget.reserve(1, search);
  const url = new URL(`/youtube/v3/${method}`, address.baseUrl);
  url.search = new URLSearchParams(parameters).toString();
  const headers = { "X-Goog-Api-Key": address.key };
  const answer = await askJson(http, { url: url.href, headers, signal, service: SERVICE }).catch((error: unknown) => {
    if (wasUnsent(error)) reservation.settle(0);
    throw error;
  });
  // YouTube counts requests that it refuses, too.
  reservation.settle(1);
  if (answer.status === 200) return readList(answer);
  if (reasonsOf(answer).some((reason) => tolerated.includes(reason))) return undefined;
  throw failureOfAnswer(answer, now());
}

function readList({ body }: JsonAnswer): YoutubeList {
  const list = listSchema.safeParse(body).data;
  if (list === undefined) throw new PlatformError("temporary", "YouTube answers with no list. It is asked again.");
  return list;
}
