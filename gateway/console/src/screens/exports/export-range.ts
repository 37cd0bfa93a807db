import type { NewExport } from "../../data/exports.js";
import { filterForApi, readFilters } from "../../data/filters.js";
import { DAY_MS, dayOf } from "../../data/periods.js";
import { words } from "../../words/exports.js";

/** What the form holds. The last day is part of the range. */
export interface ExportRange {
  readonly insights: readonly number[];
  /** Such as 2026-11-01; the days are those of UTC. */
  readonly from: string;
  readonly to: string;
}

/** The export that the form and the filter in the address ask for, or what is wrong with them. */
export function exportOf(
  { insights, from, to }: ExportRange,
  parameters: URLSearchParams,
  daysMax: number | undefined,
): { readonly wanted?: NewExport; readonly problem?: string } {
  if (insights.length === 0) return { problem: words.exports.chooseOne };
  const [first, last] = [Date.parse(from), Date.parse(to)];
  if (Number.isNaN(first) || Number.isNaN(last) || last < first) return { problem: words.exports.order };
  const days = (last - first) / DAY_MS + 1;
  if (daysMax !== undefined && days > daysMax) return { problem: words.exports.tooLong(daysMax) };
  const filter = filterForApi(readFilters(parameters));
  return {
    wanted: {
      insight_search_ids: [...insights],
      start_date: from,
      end_date: dayOf(last + DAY_MS),
      ...(Object.keys(filter).length === 0 ? {} : { filter }),
    },
  };
}
