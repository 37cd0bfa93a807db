import { AppError, type FieldViolation } from "@hourglass/runtime";
import { parseQuery } from "./parse.js";
import type { Query } from "./expression.js";
import { QuerySyntaxError } from "./syntax-error.js";

/** Parses keywords. Throws AppError `invalid` that names `field` and the position of the mistake. */
export function parseKeywords(keywords: string, field = "query.keywords"): Query {
  try {
    return parseQuery(keywords);
  } catch (error) {
    if (!(error instanceof QuerySyntaxError)) throw error;
    throw AppError.invalid([{ field, message: error.message }], "invalid_query");
  }
}

/** What is wrong with the keywords of a request, if they are what the contract allows otherwise. */
export function keywordMistakes(keywords = ""): FieldViolation[] {
  if (keywords.trim() === "") return [];
  try {
    parseKeywords(keywords);
    return [];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return [...error.violations];
  }
}
