import type * as z from "zod";
import { readBy } from "./conversion.js";
import * as s from "./schema.js";

const SortOrder = s.enumeration("SortOrder", ["asc", "desc"]);

/** The parameter of an order; the contract asks whether it is ascending. */
export function sortOrder(description: string): z.ZodType<string, string> {
  return readBy((value) => value === "asc", SortOrder.meta({ description }));
}
