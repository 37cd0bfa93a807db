import type { Logger } from "../log.js";

/** The release of Node that the image has and that is recommended elsewhere. */
export const RECOMMENDED_NODE = 24;

/** The last day with security fixes of each release line, by https://github.com/nodejs/Release/blob/main/schedule.json. */
const LAST_DAYS: Readonly<Record<number, string>> = {
  20: "2026-04-30",
  21: "2024-06-01",
  22: "2027-04-30",
  23: "2025-06-01",
  24: "2028-04-30",
  25: "2026-06-01",
  26: "2029-04-30",
};

/**
 * Warns if this release of Node no longer gets security fixes. Releases newer than the table are not judged.
 * @param version such as `20.19.0`
 */
export function warnOfUnsupportedNode(version: string, { now, log }: { now: Date; log: Pick<Logger, "warn"> }): void {
  const major = Number.parseInt(version, 10);
  const lastDay = LAST_DAYS[major];
  if (lastDay === undefined || !isOver(lastDay, now)) return;
  log.warn(
    { node: version, lastDay },
    `Node ${major} has had no security fixes since ${lastDay}; install ${remedy(now)}`,
  );
}

/** Whether the day, `YYYY-MM-DD`, has ended in UTC. */
function isOver(lastDay: string, now: Date): boolean {
  return now.toISOString().slice(0, 10) > lastDay;
}

function remedy(now: Date): string {
  const lastDay = LAST_DAYS[RECOMMENDED_NODE];
  return lastDay !== undefined && isOver(lastDay, now)
    ? "a release that https://nodejs.org/en/about/previous-releases names as supported"
    : `Node ${RECOMMENDED_NODE}`;
}
