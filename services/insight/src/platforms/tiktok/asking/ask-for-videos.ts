import { parseLongNumbers } from "@hourglass/runtime/json";
import { askAsApp } from "../../asking/ask-as-app.js";
import type { AppTokens } from "../../asking/app-tokens.js";
import { askJson, type JsonAnswer } from "../../asking/ask-json.js";
import { wasUnsent } from "../../asking/unsent.js";
import { PlatformError } from "../../port/platform-error.js";
import type { PageRequest, PlatformDeps, PlatformSearch } from "../../port/platform.js";
import type { PacedBudget } from "../../spending/paced-budget.js";
import type { TiktokQuery } from "../dialect.js";
import type { Position } from "../position.js";
import { readSearchPage, type TiktokPage } from "./answer.js";
import { failureOfAnswer, isTokenRejected, SERVICE } from "./failure.js";
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

/** For whom it is asked. */
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
  const answer = await askAsApp(
    tokens,
    async (token): Promise<JsonAnswer> => {
      const reservation = await budget.reserve(1, search);
      requests += 1;
      try {
        return await askJson(http, {
          url: searchUrl(baseUrl),
          method: "POST",
          headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
          body: JSON.stringify(searchBody(query, position)),
          signal,
          service: SERVICE,
          parse: parseLongNumbers,
        });
      } catch (error) {
        if (wasUnsent(error)) reservation.settle(0);
        throw error;
      }
    },
    isTokenRejected,
  );
  const failure = failureOfAnswer(answer, now());
  if (failure !== undefined) throw failure;
  const page = readSearchPage(answer.body);
  if (page === undefined) {
    throw new PlatformError("temporary", "TikTok answers with no page of videos. It is asked again.");
  }
  return { page, requests };
}
