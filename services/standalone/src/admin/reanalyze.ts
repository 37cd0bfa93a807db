import {
  administerReanalyses,
  type ReanalysisAdministration,
  type ReanalysisScope,
  type ReanalysisState,
} from "@hourglass/insight";
import { openStorage } from "@hourglass/runtime";
import { readInsightId, UsageError, type Administration, type Opening, type OptionValues } from "./administration.js";
import type { Row } from "./output.js";

/** Opens the reanalyses of postings. */
export async function openReanalyses({ config, log, lifecycle }: Opening): Promise<ReanalysisAdministration> {
  return administerReanalyses(await openStorage({ config, log, lifecycle, parts: ["store"] }));
}

/** Has the postings of an insight or a company analyzed again, or says how far that is. */
export async function reanalyze(
  administration: Administration,
  { insight, company, status }: OptionValues,
): Promise<Row[]> {
  if ((insight === undefined) === (company === undefined)) {
    throw new UsageError("Give --insight or --company, one of them.");
  }
  const scope: ReanalysisScope =
    insight === undefined ? await companyOf(administration, company ?? "") : { insightId: readInsightId(insight) };
  const reanalyses = await administration.reanalyses();
  const states = status === undefined ? await reanalyses.begin(scope) : await reanalyses.read(scope);
  return states.map(rowOf);
}

async function companyOf({ erasures }: Administration, name: string): Promise<ReanalysisScope> {
  const { companies } = await erasures();
  return { companyId: (await companies.find(name)).id };
}

function rowOf({ insightId, status, seen, postings, put, startedAt, finishedAt }: ReanalysisState): Row {
  const iso = (time: number | undefined) => (time === undefined ? null : new Date(time).toISOString());
  return [
    ["insight_id", insightId],
    ["status", status],
    ["seen", { seen, postings }, `${seen} of ${postings}`],
    ["analyzed_again", put, `${put} analyzed again`],
    ["started_at", iso(startedAt)],
    ["finished_at", iso(finishedAt)],
  ];
}
