import type { PlatformCoverage } from "../../coverage/read-coverage.js";
import type { CoverageSpan } from "../../records/coverage-span.js";
import type { PlatformName } from "../../records/insight.js";
import type { Span } from "../../marks/periods.js";

export type Completeness = CoverageSpan["completeness"];

const RANK: Readonly<Record<Completeness, number>> = { unknown: 0, thin: 1, complete: 2 };

/** Tells how completely parts of a span of time were collected. */
export class CompletenessOf {
  private readonly spans: ReadonlyMap<PlatformName, readonly CoverageSpan[]>;

  /** A platform from which nothing was ever collected, and of which there is no posting, makes nothing incomplete. */
  constructor(coverage: readonly PlatformCoverage[], hasPostings: ReadonlySet<PlatformName>) {
    const used = coverage.filter(
      ({ platform, spans }) =>
        hasPostings.has(platform) || spans.some(({ completeness }) => completeness !== "unknown"),
    );
    this.spans = new Map(used.map(({ platform, spans }) => [platform, spans]));
  }

  /** The least of that of the platforms; without a platform, of all. */
  during({ start, end }: Span, platform?: PlatformName): Completeness {
    const lines = platform === undefined ? [...this.spans.values()] : [this.spans.get(platform) ?? []];
    const found = lines.flatMap((spans) => spans.filter((span) => span.from < end && span.to > start));
    if (found.length === 0) return "unknown";
    return found.reduce<Completeness>((least, { completeness }) => worse(least, completeness), "complete");
  }
}

function worse(one: Completeness, other: Completeness): Completeness {
  return RANK[one] < RANK[other] ? one : other;
}
