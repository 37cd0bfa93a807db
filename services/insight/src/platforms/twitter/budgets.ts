import { type BudgetDeps, PacedBudget, type Reservation, spendRequest } from "../budget.js";

/** Requests of an app in 15 minutes. */
const REQUESTS_MAX = 450;
/** X gives from 10 to 100 posts a page. */
const PAGE_MIN = 10;
const PAGE_MAX = 100;
/** A page is at most this part of the month's posts, so that none are left over at its end because they fill no page. */
const PAGES_MIN = 50;

/** What the requests of one app may use. */
export interface TwitterBudgets {
  /** Posts of one page, of at most that many that are useful. */
  pageSizeFor(limit: number): number;
  /** Reserves a request and its posts. Throws PlatformError `budget`. */
  reserve(posts: number, spender: { readonly preview: boolean }): Promise<Reservation>;
}

export function createBudgets(deps: BudgetDeps, postsPerMonth: number): TwitterBudgets {
  const posts = new PacedBudget(deps, {
    name: "twitter.posts",
    limit: postsPerMonth,
    period: "month",
    units: "posts of X",
    setting: "TWITTER_POSTS_PER_MONTH",
  });
  const pageMax = Math.max(PAGE_MIN, Math.min(PAGE_MAX, Math.floor(postsPerMonth / PAGES_MIN)));
  return {
    pageSizeFor: (limit) => Math.max(PAGE_MIN, Math.min(pageMax, limit)),
    async reserve(units, spender) {
      const reservation = await posts.reserve(units, spender);
      try {
        await spendRequest(deps, { name: "twitter.requests", limit: REQUESTS_MAX, period: "quarter-hour" });
      } catch (error) {
        reservation.commit(0);
        throw error;
      }
      return reservation;
    },
  };
}
