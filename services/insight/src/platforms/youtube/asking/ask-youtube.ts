import * as z from "zod";
import { fetchJson, type JsonResponse } from "../../http-json.js";
import { wasUnsent } from "../../budget.js";
import { maybe } from "../../schemas.js";
import { type PlatformDeps, PlatformError, type PlatformSearch } from "../../connector.js";
import type { YoutubeBudgets, YoutubeQuota } from "../budgets.js";
import { errorOfResponse, reasonsOf, SERVICE } from "./failure.js";

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
  const response = await fetchJson(http, { url: url.href, headers, signal, service: SERVICE }).catch(
    (error: unknown) => {
      if (wasUnsent(error)) reservation.commit(0);
      throw error;
    },
  );
  // YouTube counts requests that it refuses, too.
  reservation.commit(1);
  if (response.status === 200) return readList(response);
  if (reasonsOf(response).some((reason) => tolerated.includes(reason))) return undefined;
  throw errorOfResponse(response, now());
}

function readList({ body }: JsonResponse): YoutubeList {
  const list = listSchema.safeParse(body).data;
  if (list === undefined) throw new PlatformError("temporary", "YouTube returns no list. It will be retried.");
  return list;
}
