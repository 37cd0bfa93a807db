/** The states of platforms, which many screens say. */
export const platformStates: Readonly<Record<string, string>> = {
  collecting: "collecting",
  waiting: "ready",
  not_configured: "needs credentials",
  auth_failed: "credentials are rejected",
  budget_spent: "budget is spent",
  failing: "in trouble",
  stalled: "stands still",
  importing: "takes imports",
};
