const COMPLETENESS: Readonly<Record<string, string>> = { complete: "complete", thin: "partly", unknown: "unknown" };

const REASONS: Readonly<Record<string, string>> = {
  budget: "budget of requests spent",
  page_limit: "more than may be read at once",
  outage: "could not be read",
  pause: "paused",
  not_configured: "settings were missing",
  before_window: "older than what the platform gives out",
  preview: "only looked at once",
  pending: "not looked at yet",
  query_changed: "the search was changed",
};

/** What was collected, and why not all of it. */
export const coverageWords = {
  completeness: (value: string) => COMPLETENESS[value] ?? value,
  reason: (value: string) => REASONS[value] ?? value,
  share: (complete: string) => `${complete} complete`,
  row: (platform: string, complete: string, reasons: readonly string[]) =>
    `${platform}: ${complete} of the time collected completely${reasons.length === 0 ? "" : `; otherwise: ${reasons.join(", ")}`}.`,
  span: (completeness: string, period: string, reasons: readonly string[]) =>
    `${completeness}, ${period}${reasons.length === 0 ? "" : `: ${reasons.join(", ")}`}`,
  whatIsMissing: "What is missing?",
};
