import type { Credentials } from "./client.js";
import type { DemoInsights } from "./insights.js";

const DAY_MS = 24 * 60 * 60_000;

/** What is shown once there is something to see. */
export interface Shown {
  readonly url: string;
  readonly user: Credentials;
  readonly insights: DemoInsights;
  /** Analysed postings of the running insight. */
  readonly analysed: number;
  readonly platforms: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Days that the stream reaches back. */
  readonly days: number;
}

/** The address, the insights, and requests to paste into a shell. */
export function requestsToPaste(shown: Shown): string {
  const { url, user, insights, analysed, platforms } = shown;
  return `
  Hourglass demo   ${url}/docs
  User             ${user.email}, password ${user.password}
  Every posting is invented: its authors do not exist, its text says #demo, and its more_info has "demo": true.

  Insight ${insights.running} runs and has ${analysed} analysed postings of ${platforms} platforms; ${insights.preview} is a preview; ${insights.paused} is paused.
  New postings come while this runs. Ctrl-C ends it.

  Requests to paste:

${commands(shown)
  .map((line) => `  ${line}`)
  .join("\n")}

`;
}

function commands({ url, user, insights, now, days }: Shown): string[] {
  const [start, end] = [dateOf(now - (days + 1) * DAY_MS), dateOf(now + DAY_MS)];
  const created = { insight_search_ids: [insights.running], start_date: start, end_date: end };
  return [
    `BASE=${url} API=${url}/api/v2/products`,
    `TOKEN=$(curl -fsSi "$BASE/api/v1/users/sign_in" -H 'Content-Type: application/json' \\`,
    `  -d '${JSON.stringify({ user })}' | tr -d '\\r' | sed -n 's/^[Aa]uthorization: Bearer //p')`,
    `AUTH="Authorization: Bearer $TOKEN"`,
    `curl -fsS "$API/insight" -H "$AUTH"`,
    `curl -fsS "$API/insight/${insights.running}/postings?limit=3" -H "$AUTH"`,
    `curl -fsS "$API/insight/${insights.running}/summary?start_date=${start}&end_date=${end}&top=5" -H "$AUTH"`,
    `EXPORT=$(curl -fsSi "$API/insight/exports" -H "$AUTH" -H 'Content-Type: application/json' \\`,
    `  -d '${JSON.stringify(created)}' | tr -d '\\r' | sed -n 's/^[Ll]ocation: //p')`,
    `curl -fsS "$BASE$EXPORT?wait=60" -H "$AUTH" -o /dev/null`,
    `curl -fsS "$BASE$EXPORT/download?format=ndjson" -H "$AUTH" -o hourglass-demo.ndjson`,
  ];
}

function dateOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
