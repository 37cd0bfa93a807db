import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Classification, TextAnalysis, Topic } from "@hourglass/analysis";
import type { GetPostingRequest, GetPostingResponseSchema } from "@hourglass/proto/insight/v1/insight_service";
import {
  type AnalysisSchema,
  AnalysisType,
  Dimension,
  Source,
  UnsupportedReasonSchema,
} from "@hourglass/proto/operation/v1/operation";
import { AppError } from "@hourglass/runtime";
import { Spelling } from "@hourglass/runtime/json";
import { type Collections, findInsight } from "../store/collections.js";
import { TEXT_ANALYSES } from "./analyzed-by.js";
import { CHARACTERS_MAX } from "./content-analysis.js";
import type { Explanations } from "./explanations.js";
import { firstCharacters, postingIdOfKey } from "./merge.js";
import { toPosting } from "./posting-message.js";

interface PostingReadDeps {
  collections: Pick<Collections, "insights" | "postings">;
  explanations: Explanations;
}

interface Caller {
  companyId: number;
  /** Until when the answer is of use. */
  signal: AbortSignal;
}

type AnalysisInit = MessageInitShape<typeof AnalysisSchema>;

/** Single postings. */
export class PostingReads {
  constructor(private readonly deps: PostingReadDeps) {}

  /**
   * The posting that a key names and, if asked for, why the models of now read its text as they do. Throws AppError
   * `not-found`, and `unavailable` if nobody explains it in time.
   */
  async read(
    { id, key, explain }: GetPostingRequest,
    { companyId, signal }: Caller,
  ): Promise<MessageInitShape<typeof GetPostingResponseSchema>> {
    const { insights, postings } = this.deps.collections;
    const insight = await findInsight(insights, Number(id), companyId);
    const postingId = postingIdOfKey(insight.id, key);
    const record = postingId === undefined ? undefined : await postings.get(postingId);
    if (record?.companyId !== companyId) {
      throw new AppError("not-found", "There is no such posting in this search.", { code: "posting_not_found" });
    }
    const posting = toPosting(record, insight);
    if (!explain) return { posting };
    return { posting, analyses: await this.explain(record.content.text ?? "", { companyId, signal }) };
  }

  private async explain(text: string, { companyId, signal }: Caller): Promise<AnalysisInit[]> {
    if (text.trim() === "") return [];
    const read = firstCharacters(text, CHARACTERS_MAX);
    const outcome = await this.deps.explanations.explain(read, { companyId, signal });
    return TEXT_ANALYSES.flatMap((type) => toAnalysis(type, outcome));
  }
}

type PostingAnalysis = (typeof TEXT_ANALYSES)[number];

const TYPES: Readonly<Record<PostingAnalysis, AnalysisType>> = {
  "sentiment-simple": AnalysisType.SENTIMENT_SIMPLE,
  "sentiment-real": AnalysisType.SENTIMENT_REAL,
  intention: AnalysisType.INTENTION,
  topic: AnalysisType.TOPIC,
  "spam-detection": AnalysisType.SPAM_DETECTION,
};

const UNSUPPORTED_REASONS = new Spelling(UnsupportedReasonSchema);

/** Nothing if the analysis failed. */
function toAnalysis(
  type: PostingAnalysis,
  { results, models, language, supported, unsupportedReasons }: TextAnalysis,
): AnalysisInit[] {
  const data = dataOf(type, results);
  if (data === undefined) return [];
  const [model, isSupported] = [models[type], supported[type]];
  return [
    {
      source: Source.CONTENT,
      type: TYPES[type],
      dimension: Dimension.TEXTUAL,
      data,
      language,
      ...(model && { model: { id: model.id, version: model.version } }),
      ...(isSupported !== undefined && { supported: isSupported }),
      unsupportedReason: UNSUPPORTED_REASONS.numberOf(unsupportedReasons?.[type] ?? ""),
    },
  ];
}

function dataOf(type: PostingAnalysis, results: TextAnalysis["results"]): AnalysisInit["data"] {
  if (type === "topic") {
    return results.topic && { case: "topics", value: { topics: toTopics(results.topic) } };
  }
  const found = results[type];
  return found && { case: "classification", value: toClassification(found) };
}

/** Length of the text of a span, in code points, and offsets of all topics, as in operations. */
const SPAN_CHARACTERS_MAX = 64;
const OFFSETS_MAX = 500;

function toClassification({ value, prob, explanation }: Classification) {
  if (explanation === undefined) return { value, prob };
  const { probabilities, spans } = explanation;
  const cut = spans.map((span) => ({ ...span, text: firstCharacters(span.text, SPAN_CHARACTERS_MAX) }));
  return { value, prob, explanation: { probabilities, spans: cut } };
}

function toTopics(topics: readonly Topic[]) {
  const most = Math.max(1, Math.floor(OFFSETS_MAX / topics.length));
  return topics.map(({ value, topic_type: topicType, sub_type: subType, offsets = [] }) => ({
    value,
    topicType,
    ...(subType !== null && { subType }),
    offsets: offsets.slice(0, most),
  }));
}
