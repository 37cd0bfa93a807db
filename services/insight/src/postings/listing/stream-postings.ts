import { timestampMs } from "@bufbuild/protobuf/wkt";
import type { StreamPostingsRequest } from "@hourglass/proto/insight/v1/insight_service";
import { type Collections, findInsight } from "../../store/collections.js";
import type { InsightRecord, PostingRecord } from "../../store/records.js";
import { type PostingInit, toPosting } from "../messages/posting-message.js";
import { mergePostings } from "./merge-postings.js";

/**
 * The postings of a span of time that the watermarks include, oldest first. Throws AppError `not-found` if an insight is
 * unknown, another company's, or deleted before the end of the stream.
 */
export type StreamPostings = (
  request: StreamPostingsRequest,
  caller: { companyId: number; isService: boolean },
) => AsyncIterable<{ postings: PostingInit[] }>;

/** Postings and characters of their texts in one message, which may be a few MiB. */
const POSTINGS_MAX = 200;
const CHARACTERS_MAX = 200_000;

export function createStreamPostings({
  insights,
  postings,
  exporting,
}: Pick<Collections, "insights" | "postings" | "exporting">): StreamPostings {
  return async function* ({ insights: asked, start, end }, { companyId, isService }) {
    const find = () => Promise.all(asked.map(({ id }) => findInsight(insights, Number(id), companyId)));
    const found = new Map((await find()).map((insight) => [insight.id, insight]));
    // A service keeps what it streams, so that erasures have to reach it.
    if (isService) await exporting.put({ id: companyId });
    const watermarks = new Map(asked.map(({ id, watermark }) => [Number(id), Number(watermark)]));
    const lines = [...watermarks].map(([insightId, watermark]) => ({ insightId, watermark }));
    const span = { start: start === undefined ? 0 : timestampMs(start), end: end === undefined ? 0 : timestampMs(end) };
    for await (const records of inSlices(mergePostings(postings, lines, span))) {
      yield { postings: records.map((record) => toPosting(record, insightOf(record, found))) };
    }
    // A deletion may have erased postings before the stream came to them.
    await find();
  };
}

function insightOf({ insightId }: PostingRecord, insights: ReadonlyMap<number, InsightRecord>): { terms: string } {
  return insights.get(insightId) ?? { terms: "" };
}

async function* inSlices(records: AsyncIterable<PostingRecord>): AsyncGenerator<PostingRecord[]> {
  let slice: PostingRecord[] = [];
  let characters = 0;
  for await (const record of records) {
    slice.push(record);
    characters += record.content.text?.length ?? 0;
    if (slice.length < POSTINGS_MAX && characters < CHARACTERS_MAX) continue;
    yield slice;
    slice = [];
    characters = 0;
  }
  if (slice.length > 0) yield slice;
}
