import type { components } from "@hourglass/client";
import { CoverageBand } from "../../charts/coverage-band.js";
import { answered, api } from "../../data/api.js";
import { boundsOf } from "../../data/coverage.js";
import type { Insight } from "../../data/insights.js";
import { every, useQuery } from "../../data/queries.js";
import { Figure } from "../../parts/figure.js";
import { Load } from "../../parts/states.js";
import { moment } from "../../words/times.js";
import { words } from "../../words/collection.js";
import { coverageRows } from "../insight/coverage-rows.js";

type Coverage = components["schemas"]["Coverage"];

const COVERAGE_MS = 30_000;
/** Room for the names of platforms. In pixels. */
const NAMES_WIDTH = 144;

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

function Bands({ id, coverage }: { readonly id: number; readonly coverage: Coverage }) {
  const { collection: w, coverage: said, labels } = words;
  const { platforms } = coverage;
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
        <CoverageBand isTall rows={coverageRows(coverage, bounds, sayTime)} axisWidth={NAMES_WIDTH} />
      )}
    </Figure>
  );
}

function sayTime(start: number, end: number): string {
  return `${moment(new Date(start))} – ${moment(new Date(end))}`;
}
