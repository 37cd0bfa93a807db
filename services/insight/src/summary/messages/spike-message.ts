import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { PLATFORM } from "@hourglass/posting";
import {
  SpikeMetric,
  type SpikeReportSchema,
  type SpikeSchema,
  SpikeStatus,
} from "@hourglass/proto/insight/v1/summary";
import { Platform } from "@hourglass/proto/insight/v1/platform";
import { toPosting } from "../../postings/messages/posting-message.js";
import type { PlatformName } from "../../records/insight.js";
import type { NamedAuthor } from "../reading/author-names.js";
import type { Risen } from "../spikes/explain.js";
import type { Spike, SpikeReport } from "../spikes/find-spikes.js";

const METRIC = { postings: SpikeMetric.POSTINGS, negative_share: SpikeMetric.NEGATIVE_SHARE } as const;
const STATUS = {
  judged: SpikeStatus.JUDGED,
  not_enough_history: SpikeStatus.NOT_ENOUGH_HISTORY,
  incomplete: SpikeStatus.INCOMPLETE,
  filtered: SpikeStatus.FILTERED,
} as const;

export interface SpikeContext {
  /** Those of the insight. */
  terms: string;
  /** Names the author of a key. */
  nameAuthor: (key: string) => Promise<NamedAuthor>;
}

/** The message of spikes. */
export async function toSpikeReport(
  { judgements, spikes }: SpikeReport,
  context: SpikeContext,
): Promise<MessageInitShape<typeof SpikeReportSchema>> {
  return {
    judgements: judgements.map(({ platform, metric, status, judged }) => ({
      platform: numberOf(platform),
      metric: METRIC[metric],
      status: STATUS[status],
      judged,
    })),
    spikes: await Promise.all(spikes.map((spike) => toSpike(spike, context))),
  };
}

async function toSpike(
  spike: Spike,
  { terms, nameAuthor }: SpikeContext,
): Promise<MessageInitShape<typeof SpikeSchema>> {
  const { topics, hashtags, authors, domains } = spike.risen;
  return {
    start: timestampFromMs(spike.step.start),
    end: timestampFromMs(spike.end),
    platform: numberOf(spike.platform),
    metric: METRIC[spike.metric],
    expected: spike.expected,
    seen: spike.seen,
    score: spike.score,
    topics: topics.map(toRisen),
    hashtags: hashtags.map(toRisen),
    authors: await Promise.all(
      authors.map(async (author) => ({ ...(await nameAuthor(author.value)), ...riseOf(author) })),
    ),
    domains: domains.map(toRisen),
    examined: BigInt(spike.examined),
    reposts: BigInt(spike.reposts),
    repeatedTexts: BigInt(spike.repeatedTexts),
    examples: spike.examples.map((posting) => toPosting(posting, { terms })),
  };
}

function toRisen(risen: Risen) {
  return { value: risen.value, ...riseOf(risen) };
}

function riseOf({ count, share, usualShare }: Risen) {
  return { count: BigInt(count), share, usualShare };
}

function numberOf(platform: PlatformName | undefined): Platform {
  return platform === undefined ? Platform.UNSPECIFIED : PLATFORM.numberOf(platform);
}
