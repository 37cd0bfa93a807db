import type { MessageInitShape } from "@bufbuild/protobuf";
import { SummarizeRequestSchema } from "@hourglass/proto/insight/v1/insight_service";
import type { ObjectReader, Violations } from "@hourglass/runtime/json";
import { accepted } from "../field-errors.js";
import { readFilter } from "./posting-requests.js";
import { parseId, wholeNumber } from "../query.js";
import { SUMMARY_INTERVAL } from "../spelling.js";

/** The parts of a query string that a summary reads. */
export interface SummaryQuery {
  readonly id: bigint;
  readonly fields: ObjectReader;
  /** All values of `platform`. */
  readonly platforms: readonly string[];
  /** The platforms of this server. */
  readonly known: readonly string[];
  /** All values of `compare`. */
  readonly compare: readonly string[];
}

/** Reads what a summary is asked for. */
export function toSummarizeRequest(
  { id, fields, platforms, known, compare }: SummaryQuery,
  violations: Violations,
): MessageInitShape<typeof SummarizeRequestSchema> {
  const interval = fields.optional("interval", SUMMARY_INTERVAL.read);
  const top = fields.optional("top", wholeNumber);
  const request: MessageInitShape<typeof SummarizeRequestSchema> = {
    id,
    filter: readFilter({ fields, platforms, known }, violations),
    compare: compare.map((text, index) => readId(text, `compare[${index}]`, violations)),
    ...(interval === undefined ? {} : { interval }),
    ...(top === undefined ? {} : { top }),
  };
  // The service is not asked about a request of the wrong shape, because it would count; what only it finds is named next.
  return accepted(SummarizeRequestSchema, request, violations);
}

/** Adds a violation for a text that is no id, and returns 1 for it. */
function readId(text: string, field: string, violations: Violations): bigint {
  const id = parseId(text);
  if (id !== undefined) return id;
  violations.push({ field, message: "Give the id of an insight." });
  return 1n;
}
