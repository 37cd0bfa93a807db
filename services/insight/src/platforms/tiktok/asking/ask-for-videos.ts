import { parseLongNumbers } from "@hourglass/runtime/json";
import { type AppTokens, fetchAsApp } from "../../app-tokens.js";
import { fetchJson, type JsonResponse } from "../../http-json.js";
import { wasUnsent } from "../../budget.js";
import { type PageRequest, type PlatformDeps, PlatformError, type PlatformSearch } from "../../connector.js";
import type { PacedBudget } from "../../budget.js";
import type { TiktokQuery } from "../dialect.js";
import type { Position } from "../position.js";
import { readSearchPage, type TiktokPage } from "./answer.js";
import { errorOfResponse, isTokenRejected, SERVICE } from "./failure.js";
import { searchBody, searchUrl } from "./search-request.js";

/** What requests for videos need. */
export interface AskingDeps extends Pick<PlatformDeps, "http" | "now"> {
  readonly budget: PacedBudget;
  readonly tokens: AppTokens;
  readonly baseUrl: string;
}

/** Which page of which search is wanted. */
export interface AskedPage {
  readonly query: TiktokQuery;
  readonly position: Position;
}

/** On whose behalf a request is sent. */
export interface Asker extends Pick<PageRequest, "signal"> {
  readonly search: Pick<PlatformSearch, "preview">;
}

/**
 * Asks for a page of videos; each request is reserved in the budget before it is sent, also the second one after a token
 * was rejected. Throws PlatformError, or HttpFailure.
 */
export async function askForVideos(
  { http, budget, tokens, baseUrl, now }: AskingDeps,
  { query, position }: AskedPage,
  { search, signal }: Asker,
): Promise<{ page: TiktokPage; requests: number }> {
  let requests = 0;
  const response = await fetchAsApp(
    tokens,
    async (token): Promise<JsonResponse> => {
      const reservation = await budget.reserve(1, search);
      requests += 1;
      try {
        return await fetchJson(http, {
          url: searchUrl(baseUrl),
          method: "POST",
          headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
          body: JSON.stringify(searchBody(query, position)),
          signal,
          service: SERVICE,
          parse: parseLongNumbers,
        });
      } catch (error) {
        if (wasUnsent(error)) reservation.commit(0);
        throw error;
      }
    },
    isTokenRejected,
  );
  const failure = errorOfResponse(response, now());
  if (failure !== undefined) throw failure;
  const page = readSearchPage(response.body);
  if (page === undefined) {
    throw new PlatformError("temporary", "TikTok returns no page of videos. It will be retried.");
  }
  return { page, requests };
}
