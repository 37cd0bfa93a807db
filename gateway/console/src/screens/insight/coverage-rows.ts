import type { components } from "@hourglass/client";
import type { BandRow } from "../../charts/coverage-band.js";
import { serverNow } from "../../data/clock.js";
import { type Bounds, placedIn, shareOfComplete } from "../../data/coverage.js";
import { share } from "../../words/numbers.js";
import { words } from "../../words/coverage.js";

/** What was collected of each platform. What is to come is no gap. `say`: how a time is said. */
export function coverageRows(
  { platforms }: components["schemas"]["Coverage"],
  bounds: Bounds,
  say: (start: number, end: number) => string,
): BandRow[] {
  const { coverage, labels } = words;
  const now = serverNow();
  return platforms.map(({ platform, spans }) => {
    const past = spans
      .map(({ start, end, ...span }) => ({ ...span, start: Date.parse(start), end: Math.min(now, Date.parse(end)) }))
      .filter(({ start }) => start < now);
    const complete = share(shareOfComplete(past));
    const reasons = new Set(past.flatMap((span) => span.reasons));
    return {
      key: platform,
      label: labels.platform(platform),
      spans: past.map(({ start, end, completeness, reasons: own }) => ({
        ...placedIn(bounds, { start, end }),
        completeness,
        reason: own.map(coverage.reason).join(", "),
        text: coverage.span(coverage.completeness(completeness), say(start, end), own.map(coverage.reason)),
      })),
      share: coverage.share(complete),
      sentence: coverage.row(labels.platform(platform), complete, [...reasons].map(coverage.reason)),
    };
  });
}
