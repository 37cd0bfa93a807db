import type { components } from "@hourglass/client";
import { answered, api } from "../../data/api.js";
import type { Insight } from "../../data/insights.js";
import { every, useQuery } from "../../data/queries.js";
import { Figure } from "../../parts/figure.js";
import { Load } from "../../parts/states.js";
import { share } from "../../words/numbers.js";
import { moment } from "../../words/times.js";
import { words } from "../../words/collection.js";
import styles from "./collection.module.css";
import { boundsOf, placedIn, shareOfComplete } from "./coverage.js";

type Coverage = components["schemas"]["Coverage"];
type Span = components["schemas"]["CoverageSpan"];

const COVERAGE_MS = 30_000;
/** A narrower part of a band has no room for words. */
const NAMED_FROM = 0.12;

/** For which time each platform is known to be complete, since the insight was made. */
export function CoverageFigure({ insight: { id } }: { readonly insight: Insight }) {
  const coverage = useQuery<Coverage>({
    queryKey: ["insight", id, "coverage"],
    queryFn: ({ signal }) =>
      answered(api.GET("/api/v2/products/insight/{id}/coverage", { params: { path: { id } }, signal })),
    refetchInterval: every(COVERAGE_MS),
  });
  return (
    <Load query={coverage} height="16rem">
      {(data) => <Bands id={id} coverage={data} />}
    </Load>
  );
}

function Bands({ id, coverage: { platforms } }: { readonly id: number; readonly coverage: Coverage }) {
  const w = words.collection;
  const bounds = boundsOf(platforms.flatMap(({ spans }) => spans));
  const rows = platforms.flatMap(({ platform, spans }) =>
    spans.map(({ start, end, completeness, reasons }) => [
      words.labels.platform(platform),
      moment(start),
      moment(end),
      w.completeness[completeness] ?? completeness,
      reasons.map(reasonOf).join(", "),
    ]),
  );
  const sentence =
    bounds === undefined
      ? w.coverageNone
      : w.coverageSentence(moment(new Date(bounds.start)), moment(new Date(bounds.end)));
  return (
    <Figure
      title={w.coverage}
      sentence={sentence}
      table={{ columns: w.coverageColumns, rows }}
      file={`coverage-${id}`}
      under={<Legend />}
    >
      <ul class={styles["bands"]}>
        {platforms.map(({ platform, spans }) => (
          <li key={platform} class={styles["band-row"]}>
            <span class={styles["band-name"]}>{words.labels.platform(platform)}</span>
            <div class={styles["band"]} role="img" aria-label={summaryOf(platform, spans)}>
              {bounds === undefined
                ? null
                : spans.map((span) => <Part key={span.start} span={span} place={placedIn(bounds, span)} />)}
            </div>
            <span class={styles["band-share"]}>{w.completeShare(share(shareOfComplete(spans)))}</span>
          </li>
        ))}
      </ul>
    </Figure>
  );
}

interface PartProps {
  readonly span: Span;
  readonly place: { readonly from: number; readonly width: number };
}

function Part({ span: { start, end, completeness, reasons }, place: { from, width } }: PartProps) {
  const w = words.collection;
  const reason = reasons.map(reasonOf).join(", ");
  return (
    <span
      class={`${styles["part"] ?? ""} ${styles[completeness] ?? ""}`}
      style={{ insetInlineStart: `${from * 100}%`, width: `${width * 100}%` }}
      title={w.part(moment(start), moment(end), w.completeness[completeness] ?? completeness, reason)}
    >
      {width >= NAMED_FROM && reason !== "" ? <span class={styles["reason"]}>{reason}</span> : null}
    </span>
  );
}

function Legend() {
  const w = words.collection;
  return (
    <div class={styles["legend"]}>
      {["complete", "thin", "unknown"].map((completeness) => (
        <span key={completeness}>
          <span class={`${styles["swatch"] ?? ""} ${styles[completeness] ?? ""}`} /> {w.completeness[completeness]}
        </span>
      ))}
    </div>
  );
}

function summaryOf(platform: string, spans: readonly Span[]): string {
  const w = words.collection;
  const reasons = [...new Set(spans.flatMap(({ reasons: own }) => own))].map(reasonOf);
  return w.bandSummary(words.labels.platform(platform), share(shareOfComplete(spans)), reasons);
}

function reasonOf(reason: string): string {
  return words.collection.reasons[reason] ?? reason;
}
