import {
  ExpressionKindSchema,
  ParsedKeywordsSchema,
  ParsedTermSchema,
  type ParsedExpression,
  type ParsedTerm,
} from "@hourglass/proto/insight/v1/insight_service";
import { Spelling } from "@hourglass/runtime/json";
import * as z from "zod";
import * as s from "./schema.js";

const KINDS = new Spelling(ExpressionKindSchema);

const ExpressionKind = s.spelled(
  KINDS,
  "`all`, `any` and `without` concern their `parts`; the others have a `value`. `prefix`: words that begin with it; `part`: too " +
    "deep for the tree, and written as keywords.",
);

/** A schema that contains itself, which no other one does: the object is made here. */
const Expression: z.ZodType = z
  .object({
    kind: ExpressionKind,
    value: z.string().meta({ description: "Without quotes and signs." }).optional(),
    parts: z.lazy(() => z.array(Expression)).optional(),
  })
  .meta({ id: "ParsedExpression" });

function writeExpression({ kind, value, parts }: ParsedExpression): object {
  const own = { kind: KINDS.of(kind) };
  return parts.length === 0 ? { ...own, value } : { ...own, parts: parts.map(writeExpression) };
}

const Term = s.response("ParsedTerm", ParsedTermSchema, {
  text: s.text("As it was written."),
  sentence: s.text("How it was understood, for a person."),
  expression: s.from(
    ({ expression }: ParsedTerm) => (expression === undefined ? {} : writeExpression(expression)),
    Expression,
  ),
});

/** Keywords as they were understood. */
export const ParsedKeywords = s.response("ParsedKeywords", ParsedKeywordsSchema, {
  sentence: s.text("How they were understood, for a person."),
  terms: s.list(Term, { description: "A posting matches if it fulfills one of them." }),
});

/** That of `"electric cars" OR #ev -"toy cars"`. */
export const PARSED_EXAMPLE = {
  sentence: 'any of: phrase "electric cars", tag #ev; without: phrase "toy cars"',
  terms: [
    {
      text: '"electric cars" OR #ev -"toy cars"',
      sentence: 'any of: phrase "electric cars", tag #ev; without: phrase "toy cars"',
      expression: {
        kind: "all",
        parts: [
          {
            kind: "any",
            parts: [
              { kind: "phrase", value: "electric cars" },
              { kind: "tag", value: "ev" },
            ],
          },
          { kind: "without", parts: [{ kind: "phrase", value: "toy cars" }] },
        ],
      },
    },
  ],
};
