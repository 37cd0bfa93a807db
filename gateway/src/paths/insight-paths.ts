/** Path of insights. */
export const INSIGHTS = "/api/v2/products/insight";

interface Place {
  readonly method: string;
  readonly path: string;
}

/**
 * Methods and paths of insights, by the id of their description; routes and OpenAPI both follow from them. Fixed names
 * come before ids.
 */
export const INSIGHT_PLACES = {
  createInsight: { method: "POST", path: INSIGHTS },
  listInsights: { method: "GET", path: INSIGHTS },
  checkInsight: { method: "POST", path: `${INSIGHTS}/check` },
  listPlatforms: { method: "GET", path: `${INSIGHTS}/platforms` },
  getInsight: { method: "GET", path: `${INSIGHTS}/:id` },
  deleteInsight: { method: "DELETE", path: `${INSIGHTS}/:id` },
  pauseInsight: { method: "PUT", path: `${INSIGHTS}/:id/pause` },
  resumeInsight: { method: "PUT", path: `${INSIGHTS}/:id/resume` },
  getCoverage: { method: "GET", path: `${INSIGHTS}/:id/coverage` },
  summarizeInsight: { method: "GET", path: `${INSIGHTS}/:id/summary` },
} as const satisfies Readonly<Record<string, Place>>;

/** Methods and paths of postings. */
export const POSTING_PLACES = {
  erasePostings: { method: "DELETE", path: `${INSIGHTS}/postings` },
  listPostings: { method: "GET", path: `${INSIGHTS}/:id/postings` },
  importPostings: { method: "POST", path: `${INSIGHTS}/:id/postings` },
} as const satisfies Readonly<Record<string, Place>>;
