import type { NewExport } from "../../data/exports.js";
import { words } from "../../words/words.js";

/** What the form holds. The last day is part of the range. */
export interface ExportRange {
  readonly insights: readonly number[];
  /** Such as 2026-11-01; the days are those of UTC. */
  readonly from: string;
  readonly to: string;
}

const DAY_MS = 86_400_000;
/** The names of filters in an address, and in the interface. */
const FILTERS = {
  platform: "platform",
  polarity: "polarity",
  emotion: "sentiment",
  intention: "intention",
  language: "language",
  country: "country",
  type: "type",
  author: "author",
  topic: "topic",
  tag: "hashtag",
  domain: "domain",
  label: "label",
} as const;

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
  const filter = filterOf(parameters);
  const end = new Date(last + DAY_MS).toISOString().slice(0, 10);
  return {
    wanted: {
      insight_search_ids: [...insights],
      start_date: from,
      end_date: end,
      ...(Object.keys(filter).length === 0 ? {} : { filter }),
    },
  };
}

function filterOf(parameters: URLSearchParams): NonNullable<NewExport["filter"]> {
  const lists = Object.entries(FILTERS).flatMap(([name, field]) => {
    const values = (parameters.get(name) ?? "").split(",").filter(Boolean);
    return values.length === 0 ? [] : [[field, values] as const];
  });
  const q = parameters.get("q") ?? "";
  const spam = { hide: ["false", "none"], only: ["true"] }[parameters.get("spam") ?? ""];
  return {
    ...Object.fromEntries(lists),
    ...(q === "" ? {} : { q }),
    ...(spam === undefined ? {} : { spam }),
  } as NonNullable<NewExport["filter"]>;
}
