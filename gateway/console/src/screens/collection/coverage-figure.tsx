import type { components } from "@hourglass/client";
import { CoverageBand } from "../../charts/coverage-band.js";
import { answered, api } from "../../data/api.js";
import { serverNow } from "../../data/clock.js";
import { boundsOf, pastOf } from "../../data/coverage.js";
import type { Insight } from "../../data/insights.js";
import { DAY_MS, dayOf, spanOf, type Period } from "../../data/periods.js";
import { every, useQuery } from "../../data/queries.js";
import { Figure } from "../../parts/figure.js";
import { PeriodPicker } from "../../parts/filter-bar/period-picker.js";
import { Load } from "../../parts/states.js";
import { moment } from "../../words/times.js";
import { words } from "../../words/collection.js";
import { coverageRows } from "../insight/coverage-rows.js";
import styles from "./collection.module.css";

type Coverage = components["schemas"]["Coverage"];

const COVERAGE_MS = 30_000;
/** Room for the names of platforms. In pixels. */
const NAMES_WIDTH = 144;

interface CoverageFigureProps {
  readonly insight: Insight;
  readonly period: Period;
}

/** For which time of the period each platform is known to be complete. */
export function CoverageFigure({ insight: { id }, period }: CoverageFigureProps) {
  const { start, end } = spanOf(period);
  // Coverage is read by days: all of each day of which the period has hours.
  const query = { start_date: dayOf(start), end_date: dayOf(end - 1 + DAY_MS) };
  const coverage = useQuery<Coverage>({
    queryKey: ["insight", id, "coverage", query],
    queryFn: ({ signal }) =>
      answered(api.GET("/api/v2/products/insight/{id}/coverage", { params: { path: { id }, query }, signal })),
    refetchInterval: every(COVERAGE_MS),
  });
  return (
    <div class={styles["stack"]}>
      <PeriodPicker period={period} />
      <Load query={coverage} height="16rem">
        {(data) => <Bands id={id} coverage={data} />}
      </Load>
    </div>
  );
}

function Bands({ id, coverage }: { readonly id: number; readonly coverage: Coverage }) {
  const { collection: w, coverage: said, labels } = words;
  const now = serverNow();
  const platforms = coverage.platforms.map(({ platform, spans }) => ({ platform, spans: pastOf(spans, now) }));
  const bounds = boundsOf(platforms.flatMap(({ spans }) => spans));
  const rows = platforms.flatMap(({ platform, spans }) =>
    spans.map(({ start, end, completeness, reasons }) => [
      labels.platform(platform),
      moment(start),
      moment(end),
      said.completeness(completeness),
      reasons.map(said.reason).join(", "),
    ]),
  );
  const sentence =
    bounds === undefined
      ? w.coverageNone
      : w.coverageSentence(moment(new Date(bounds.start)), moment(new Date(bounds.end)));
  return (
    <Figure title={w.coverage} sentence={sentence} table={{ columns: w.coverageColumns, rows }} file={`coverage-${id}`}>
      {bounds === undefined ? null : (
        <CoverageBand isTall rows={coverageRows({ platforms }, bounds, sayTime)} axisWidth={NAMES_WIDTH} />
      )}
    </Figure>
  );
}

function sayTime(start: number, end: number): string {
  return `${moment(new Date(start))} – ${moment(new Date(end))}`;
}
