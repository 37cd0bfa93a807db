import path from "node:path";
import type { Command } from "../command.js";
import type { ImportTotals } from "./import-rows.js";
import { escapeField, printProgress } from "../output.js";
import { UsageError } from "../../usage-error.js";

/** Imports a file of postings of any size into an insight. */
export const importPostings: Command = {
  does:
    "Imports a file of postings into a running insight: JSON Lines, or CSV by --preset (hourglass, 4cat, " +
    "youtube-data-tools) or --map, a file with a JSON object of keys and columns. Rows that are no postings are left out " +
    "and named on stderr; a row of a platform that the insight does not search ends the import. --match true leaves out what does not match the keywords. Repeating it stores nothing twice.",
  required: ["insight", "file"],
  optional: ["map", "preset", "match"],
  settleMs: 0,
  run: async ({ imports }, { insight = "", file = "", map, preset, match = "false" }) => {
    const id = readId(insight);
    if (match !== "true" && match !== "false") throw new UsageError("Give --match true or false.");
    const [{ openRows }, { importRows }] = await Promise.all([import("./import-file.js"), import("./import-rows.js")]);
    const rows = await openRows({ file: path.resolve(file), map, preset });
    const service = await imports();
    const totals = await importRows(rows, {
      store: (postings) => service.importPostings(id, postings, match === "true"),
      leftOut: (row, reason) => printProgress(`Row ${row} is left out: ${escapeField(reason)}`),
      progress: ({ rows: read, accepted }) => printProgress(`${read} rows read, ${accepted} postings stored`),
    });
    return describe(totals, match === "true");
  },
};

function readId(text: string): number {
  const id = /^\d{1,16}$/.test(text) ? Number(text) : 0;
  if (id > 0 && Number.isSafeInteger(id)) return id;
  throw new UsageError("Give --insight the id of an insight, a positive whole number.");
}

function describe(totals: ImportTotals, match: boolean): string[] {
  return [
    `rows\t${totals.rows}`,
    `accepted\t${totals.accepted}`,
    `duplicates\t${totals.duplicates}`,
    ...(match ? [`unmatched\t${totals.unmatched}`] : []),
    `erased\t${totals.erased}`,
    `left out\t${totals.leftOut}`,
  ];
}
