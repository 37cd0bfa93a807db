import type { Values } from "@hourglass/runtime";
import type { PlatformDeps } from "../connector.js";
import type { YoutubeDeps } from "./asking/ask-youtube.js";
import { createBudgets } from "./budgets.js";
import type { youtubeVariables } from "./config.js";

/** What connectors of YouTube ask with; undefined without a key. */
export function openYoutube(deps: PlatformDeps, values: Values<typeof youtubeVariables>): YoutubeDeps | undefined {
  const { YOUTUBE_API_KEY: key, YOUTUBE_BASE_URL: baseUrl } = values;
  if (key === undefined) return undefined;
  const quota = { searchesPerDay: values.YOUTUBE_SEARCHES_PER_DAY, unitsPerDay: values.YOUTUBE_UNITS_PER_DAY };
  const { http, now } = deps;
  return { http, now, budgets: createBudgets(deps, quota), address: { baseUrl, key }, quota };
}
