import type { GapReason } from "../platforms/connector.js";
import type { SearchStatus } from "../records/search.js";

/** Why a search in this state collects nothing; undefined if it collects as planned. */
export function missingReason(status: SearchStatus): GapReason | undefined {
  switch (status) {
    case "failing":
      return "outage";
    case "budget_spent":
      return "budget";
    case "not_configured":
    case "importing":
    case "auth_failed":
      return "not_configured";
    case "collecting":
    case "waiting":
      return undefined;
  }
}
