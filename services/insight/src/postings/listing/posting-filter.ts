import { timestampMs } from "@bufbuild/protobuf/wkt";
import type { PostingFilter } from "@hourglass/proto/insight/v1/insight_service";
import { PLATFORM } from "@hourglass/posting";
import type { Condition } from "@hourglass/runtime";
import { parseKeywords } from "../../query/parser.js";
import { compileQuery } from "../../query/matcher.js";
import type { PostingRecord } from "../../store/records.js";
import { searchedTextsOf } from "../../platforms/posting-draft.js";

/** Earlier than any time that a timestamp can state. */
const EARLIEST = -8.64e15;

/** A filter, divided into what an index answers and what is decided for each posting. */
export interface ListFilter {
  /** Range of the time of posting; leaves out what is not listed yet. */
  range: Condition<number>;
  /** Undefined if every posting in the range fits. */
  fits: ((posting: PostingRecord) => boolean) | undefined;
}

/** Throws AppError `invalid` for a query that cannot be parsed. */
export function readFilter(filter: PostingFilter | undefined): ListFilter {
  if (filter === undefined) return { range: { gte: EARLIEST }, fits: undefined };
  const { start, end } = filter;
  const range = {
    gte: start === undefined ? EARLIEST : timestampMs(start),
    ...(end !== undefined && { lt: timestampMs(end) }),
  };
  const tests = testsOf(filter);
  return { range, fits: tests.length === 0 ? undefined : (posting) => tests.every((test) => test(posting)) };
}

type Test = (posting: PostingRecord) => boolean;

/** The cheap tests first. */
function testsOf({ platforms, sentiment, intention, language, q }: PostingFilter): Test[] {
  const names = new Set(platforms.map((number) => PLATFORM.nameOf(number)));
  return [
    ...(names.size > 0 ? [({ platform }: PostingRecord) => names.has(platform)] : []),
    ...(sentiment === "" ? [] : [(posting: PostingRecord) => posting.sentiment === sentiment]),
    ...(intention === "" ? [] : [(posting: PostingRecord) => posting.intention === intention]),
    ...(language === "" ? [] : [isIn(language)]),
    ...(q.trim() === "" ? [] : [matches(q)]),
  ];
}

/** A language without a region includes its regions: `en` is also the language of `en-GB`. */
function isIn(language: string): Test {
  const wanted = language.toLowerCase();
  return ({ language: found }) => {
    const has = found?.toLowerCase();
    return has === wanted || has?.startsWith(`${wanted}-`) === true;
  };
}

function matches(q: string): Test {
  const matcher = compileQuery(parseKeywords(q, "filter.q"));
  return ({ content }) => matcher.match(searchedTextsOf(content)).matches;
}
