import type { components, paths } from "@hourglass/client";
import { answered, api } from "./api.js";
import { outdate } from "./queries.js";

export type Imported = components["schemas"]["PostingsAccepted"];
type Query = NonNullable<paths["/api/v2/products/insight/{id}/postings"]["post"]["parameters"]["query"]>;

/** How a file is imported, in the words of the interface. */
export type ImportOptions = Pick<Query, "date_format" | "time_zone" | "map" | "match" | "validate_only">;

/** Imports a file of postings, or tells what that would do. A repetition stores nothing twice. */
export async function importFile(id: number, file: File, options: ImportOptions): Promise<Imported> {
  const given = Object.entries(options).filter(([, value]) => value !== "" && value !== false);
  const params = { path: { id }, query: Object.fromEntries(given) as ImportOptions };
  const headers = { "Content-Type": typeOf(file.name) };
  const request = api.POST("/api/v2/products/insight/{id}/postings", {
    params,
    headers,
    body: file,
    bodySerializer: (body: Blob) => body,
  });
  const answer = await answered(request);
  if (options.validate_only !== true) await outdate(["insight"], ["insights"], ["summary"], ["postings-count"]);
  return answer;
}

/** Names of files with JSON Lines; others are taken for CSV. */
const LINES = /\.(?:nd?jsonl?|jsonl|json)$/i;

function typeOf(name: string): string {
  return LINES.test(name) ? "application/x-ndjson" : "text/csv";
}
