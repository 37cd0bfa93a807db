import { repeats } from "@hourglass/runtime/testing";
import fc from "fast-check";
import { expect } from "vitest";
import type { Query } from "../ast.js";
import { compileQuery, type SearchedTexts } from "../matcher.js";
import type { Translation } from "../translate.js";
import { postings, queries } from "./queries.js";

/** How a platform is asked, and what it finds. */
export interface Searching<Said> {
  readonly translate: (query: Query) => Pick<Translation<Said>, "requests" | "unsent" | "narrowedLocally">;
  readonly finds: (request: Said, posting: SearchedTexts) => boolean;
  /** A posting as the platform would state it; default: as any posting is. */
  readonly stated?: (posting: SearchedTexts) => SearchedTexts;
  /** Throws for a request that the platform would refuse. */
  readonly check?: (request: Said) => void;
}

/**
 * Checks that what a query matches is found by what is sent, except for terms that cannot be sent, and that everything
 * found is matched if the translation does not say that results are narrowed locally.
 */
export function expectNeverNarrower<Said>({
  translate,
  finds,
  stated = (posting) => posting,
  check,
}: Searching<Said>): void {
  fc.assert(
    fc.property(queries, postings.map(stated), (query, posting) => {
      const { requests, unsent, narrowedLocally } = translate(query);
      const isMatched = compileQuery(query)
        .match(posting)
        .matchedTerms.some((term) => !unsent.includes(term));
      const isFound = requests.some((request) => finds(request, posting));
      if (isMatched) expect(isFound).toBe(true);
      if (!narrowedLocally) expect(isFound).toBe(isMatched);
      for (const request of requests) check?.(request);
    }),
    { numRuns: repeats(300) },
  );
}
