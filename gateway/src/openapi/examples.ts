import type { Schema } from "./schema.js";

const ANALYSES = ["sentiment-simple", "object-id", "caption"];

/** Analyses a previously uploaded file. */
const FILE_REQUEST = { type: "file", analyses: ANALYSES, contents: [5] };

/** Analyses files that this server fetches. */
const URLS_REQUEST = {
  type: "file",
  analyses: ["caption", "logo-id"],
  contents: ["https://example.com/street.jpg", "https://example.com/dancing.gif"],
};

/** The record of a video of 15 seconds: its transcript, when people are seen, and its scenes. */
const VIDEO_RECORD = {
  id: 3,
  status: "done",
  query: { ...FILE_REQUEST, contents_groups: null },
  data: {
    contents_count: 1,
    contents: [
      {
        type: "file",
        content: 5,
        dimensions: ["visual-video", "audial"],
        analysis_type: ANALYSES,
        analysis_types: ANALYSES,
        analyses: [
          {
            source: "transcript",
            type: "sentiment-simple",
            dimension: "audial",
            group_index: null,
            data: { value: "negative", prob: 0.82 },
            model: { id: "sentiment-simple-encoder", version: "encoder-4e88e99c" },
            language: "en",
            supported: true,
          },
          {
            source: "content",
            type: "object-id",
            dimension: "visual-video",
            group_index: null,
            data: [{ value: "person", prob: 0.9468, moments: [{ start: 0, end: 15 }] }],
            model: { id: "centernet-mobilenetv3-coco", version: "1" },
          },
          {
            source: "content",
            type: "caption",
            dimension: "visual-video",
            group_index: null,
            data: [
              {
                description: null,
                duration: "00:00:15",
                descriptions: [{ timestamp: "00:00:00", description: "six people" }],
              },
            ],
            model: { id: "caption-composed", version: "3" },
          },
        ],
        transcript: {
          text: "Ever tried. Ever failed. No matter.",
          segments: [
            { start: 0.1, end: 1.5, text: "Ever tried." },
            { start: 1.6, end: 3.1, text: "Ever failed." },
            { start: 3.3, end: 4.4, text: "No matter." },
          ],
          model: { id: "onnx-community/moonshine-tiny-ONNX", version: "94e90acf524c" },
        },
        ocr_text: "",
      },
    ],
  },
  progress: { done: 1, total: 1 },
  failed_contents: 0,
  created_at: "2026-01-31T12:00:00.000Z",
  finished_at: "2026-01-31T12:00:08.500Z",
};

const TEXT = "I love the new museum in Lisbon!";

/** Begins with a character of one code point and two UTF-16 units. */
const EMOJI_TEXT = `\u{1f600} ${TEXT}`;

const EXPLAINED = { type: "text", analyses: ["sentiment-simple", "topic"], contents: [EMOJI_TEXT], explain: true };
const EXPLAINED_IN_UTF16 = { ...EXPLAINED, offsets: "utf16" };

/** Example requests. */
export const REQUEST_EXAMPLES: Readonly<Record<string, Schema>> = {
  two: {
    summary: "Two posts",
    value: {
      type: "text",
      analyses: ["sentiment-simple", "topic"],
      contents: [TEXT, "The queue was far too long."],
    },
  },
  explained: { summary: "One post, with the reasons", value: EXPLAINED },
  utf16: { summary: "One post, with the reasons and offsets for JavaScript, Java or C#", value: EXPLAINED_IN_UTF16 },
  person: {
    summary: "What two people wrote",
    value: {
      type: "text",
      analyses: ["personality-mb"],
      contents: ["We danced all night.", "Plans first, then people.", "I would rather read alone."],
      contents_groups: ["0,1", "2"],
    },
  },
  file: { summary: "An uploaded file", value: FILE_REQUEST },
  urls: { summary: "Files at URLs", value: URLS_REQUEST },
};

const made = { language: "en", supported: true };

/** The record of an explained post, of whose text the first `before` characters, in its unit, are the emoji and a space. */
function explainedRecord(query: typeof EXPLAINED, before: number): Schema {
  const range = (start: number, end: number) => ({ start: before + start, end: before + end });
  return {
    id: 1,
    status: "done",
    query: { ...query, contents_groups: null },
    data: {
      contents_count: 1,
      contents: [
        {
          type: "text",
          content: EMOJI_TEXT,
          dimensions: ["textual"],
          analysis_type: EXPLAINED.analyses,
          analysis_types: EXPLAINED.analyses,
          analyses: [
            {
              source: "content",
              type: "sentiment-simple",
              dimension: "textual",
              group_index: null,
              data: {
                value: "positive",
                prob: 0.9899,
                explanation: {
                  probabilities: { positive: 0.9899, neutral: 0.0062, negative: 0.0039 },
                  spans: [
                    { ...range(2, 6), text: "love", weight: 0.7633 },
                    { ...range(31, 32), text: "!", weight: 0.1504 },
                    { ...range(0, 1), text: "I", weight: -0.1436 },
                    { ...range(25, 31), text: "Lisbon", weight: -0.1358 },
                    { start: 0, end: before - 1, text: "\u{1f600}", weight: 0.1037 },
                  ],
                },
              },
              model: { id: "sentiment-simple-encoder", version: "1" },
              ...made,
            },
            {
              source: "content",
              type: "topic",
              dimension: "textual",
              group_index: null,
              data: [
                { value: "Lisbon", topic_type: "entity", sub_type: "GPE", offsets: [range(25, 31)] },
                { value: "new museum", topic_type: "noun-chunk", sub_type: "NOUN", offsets: [range(11, 21)] },
              ],
              model: { id: "topic-encoder", version: "1" },
              ...made,
            },
          ],
        },
      ],
    },
    progress: { done: 1, total: 1 },
    failed_contents: 0,
    created_at: "2026-01-31T12:00:00.000Z",
    finished_at: "2026-01-31T12:00:00.080Z",
  };
}

/** Examples of operations that are done. */
export const RECORD_EXAMPLES: Readonly<Record<string, Schema>> = {
  explained: { summary: "One post, with the reasons", value: explainedRecord(EXPLAINED, 2) },
  utf16: {
    summary: "One post, with the reasons and offsets for JavaScript, Java or C#",
    value: explainedRecord(EXPLAINED_IN_UTF16, 3),
  },
  video: { summary: "A video in which somebody speaks", value: VIDEO_RECORD },
};

/** A continuous search. */
export const QUERY_EXAMPLE = {
  query: {
    keywords: '"electric cars" OR #ev',
    platforms: ["news", "twitter"],
    dimensions: ["textual"],
    follow: { feeds: ["https://news.example.com/rss.xml"] },
  },
};

export const INSIGHT_EXAMPLE = {
  id: 12,
  status: "running",
  query: {
    keywords: '"electric cars" OR #ev',
    platforms: ["news", "twitter"],
    dimensions: ["textual"],
    location: null,
    sneak_peek: false,
    follow: { feeds: ["https://news.example.com/rss.xml"], subreddits: [], pages: [], organisations: [] },
  },
  terms: '"electric cars" OR #ev',
  posting_count: 41,
  unanalysed_count: 2,
  platforms: [
    {
      platform: "news",
      state: "waiting",
      next_at: "2026-01-31T12:05:00.000Z",
      last_success_at: "2026-01-31T12:00:00.000Z",
      last_error: null,
      counts: { requests: 3, fetched: 90, matched: 44, stored: 41, duplicates: 3, skipped: 0 },
      warnings: [],
    },
    {
      platform: "twitter",
      state: "not_configured",
      next_at: null,
      last_success_at: null,
      last_error: "Set TWITTER_BEARER_TOKEN to collect from twitter.",
      counts: { requests: 0, fetched: 0, matched: 0, stored: 0, duplicates: 0, skipped: 0 },
      warnings: [],
    },
  ],
  created_at: "2026-01-31T11:50:00.000Z",
  finished_at: null,
};

export const CHECK_EXAMPLE = {
  terms: ['"electric cars" OR #ev'],
  platforms: [
    {
      platform: "news",
      state: "waiting",
      mode: "follow",
      queries: ["https://news.example.com/rss.xml"],
      narrowed_locally: true,
      cost: "1 request per feed",
      warnings: [],
    },
  ],
  warnings: [],
};

export const PLATFORMS_EXAMPLE = {
  platforms: [
    { platform: "news", state: "waiting", mode: "follow", missing: null },
    {
      platform: "twitter",
      state: "not_configured",
      mode: "search",
      missing: "Set TWITTER_BEARER_TOKEN to collect from twitter.",
    },
  ],
};

export const COVERAGE_EXAMPLE = {
  platforms: [
    {
      platform: "news",
      spans: [
        {
          start: "2026-01-31T00:00:00.000Z",
          end: "2026-01-31T11:50:00.000Z",
          completeness: "unknown",
          reasons: ["before_window"],
        },
        {
          start: "2026-01-31T11:50:00.000Z",
          end: "2026-02-01T00:00:00.000Z",
          completeness: "complete",
          reasons: [],
        },
      ],
    },
  ],
};

export const POSTINGS_NDJSON_EXAMPLE =
  '{"platform":"news","post_date":"1/31/2026","post_time":"12:00:00","text_of_post":"The queue was far too long."}\n';

export const POSTINGS_CSV_EXAMPLE =
  "platform,post_date,post_time,text_of_post,like_count\r\nnews,1/31/2026,12:00:00,The queue was far too long.,3\r\n";

/** The answer to a true request: three imported postings from 30 to 31 January, with lists of three values at most. */
export const SUMMARY_EXAMPLE = {
  start: "2026-01-30T00:00:00.000Z",
  end: "2026-02-01T00:00:00.000Z",
  interval: "day",
  totals: {
    postings: 3,
    platforms: {
      values: [
        { value: "news", count: 2 },
        { value: "reddit", count: 1 },
      ],
      other: 0,
    },
    sentiments: {
      values: [
        { value: "annoyance", count: 2 },
        { value: "pleasantness", count: 1 },
      ],
      other: 0,
    },
    polarities: {
      values: [
        { value: "negative", count: 2 },
        { value: "positive", count: 1 },
      ],
      other: 0,
    },
    intentions: { values: [{ value: "valuation", count: 3 }], other: 0 },
    spam: { values: [{ value: "ham", count: 3 }], other: 0 },
    languages: { values: [{ value: "en", count: 3 }], other: 0 },
    countries: {
      values: [
        { value: null, count: 2 },
        { value: "PT", count: 1 },
      ],
      other: 0,
    },
    types: {
      values: [
        { value: null, count: 2 },
        { value: "post", count: 1 },
      ],
      other: 0,
    },
    engagement: [{ name: "like_count", sum: "7", postings: 2 }],
  },
  series: [
    {
      start: "2026-01-30T00:00:00.000Z",
      end: "2026-01-31T00:00:00.000Z",
      completeness: "unknown",
      postings: 1,
      platforms: { values: [{ value: "news", count: 1 }], other: 0 },
      sentiments: { values: [{ value: "annoyance", count: 1 }], other: 0 },
      polarities: { values: [{ value: "negative", count: 1 }], other: 0 },
      intentions: { values: [{ value: "valuation", count: 1 }], other: 0 },
      spam: { values: [{ value: "ham", count: 1 }], other: 0 },
      languages: { values: [{ value: "en", count: 1 }], other: 0 },
      countries: { values: [{ value: "PT", count: 1 }], other: 0 },
      types: { values: [{ value: null, count: 1 }], other: 0 },
      engagement: [{ name: "like_count", sum: "3", postings: 1 }],
    },
    {
      start: "2026-01-31T00:00:00.000Z",
      end: "2026-02-01T00:00:00.000Z",
      completeness: "unknown",
      postings: 2,
      platforms: {
        values: [
          { value: "news", count: 1 },
          { value: "reddit", count: 1 },
        ],
        other: 0,
      },
      sentiments: {
        values: [
          { value: "annoyance", count: 1 },
          { value: "pleasantness", count: 1 },
        ],
        other: 0,
      },
      polarities: {
        values: [
          { value: "negative", count: 1 },
          { value: "positive", count: 1 },
        ],
        other: 0,
      },
      intentions: { values: [{ value: "valuation", count: 2 }], other: 0 },
      spam: { values: [{ value: "ham", count: 2 }], other: 0 },
      languages: { values: [{ value: "en", count: 2 }], other: 0 },
      countries: { values: [{ value: null, count: 2 }], other: 0 },
      types: {
        values: [
          { value: null, count: 1 },
          { value: "post", count: 1 },
        ],
        other: 0,
      },
      engagement: [{ name: "like_count", sum: "4", postings: 1 }],
    },
  ],
  top: {
    topics: {
      values: [
        { value: "charging stations", count: 1, share: 0.3333333333333333 },
        { value: "line", count: 1, share: 0.3333333333333333 },
        { value: "lisbon", count: 1, share: 0.3333333333333333 },
      ],
      distinct: 5,
      error: 0,
      distinct_error: 0,
    },
    hashtags: {
      values: [
        { value: "ev", count: 2, share: 0.6666666666666666 },
        { value: "charging", count: 1, share: 0.3333333333333333 },
      ],
      distinct: 2,
      error: 0,
      distinct_error: 0,
    },
    authors: {
      values: [
        {
          platform: "news",
          author_id: null,
          author_username: null,
          author_name: "Ann",
          count: 2,
          share: 0.6666666666666666,
        },
        {
          platform: "reddit",
          author_id: "t2_1",
          author_username: "kestrel",
          author_name: null,
          count: 1,
          share: 0.3333333333333333,
        },
      ],
      distinct: 2,
      error: 0,
      distinct_error: 0,
    },
    labels: { values: [], distinct: 0, error: 0, distinct_error: 0 },
    domains: {
      values: [{ value: "news.example.com", count: 2, share: 0.6666666666666666 }],
      distinct: 1,
      error: 0,
      distinct_error: 0,
    },
  },
  coverage: {
    platforms: [
      {
        platform: "news",
        spans: [
          {
            start: "2026-01-30T00:00:00.000Z",
            end: "2026-02-01T00:00:00.000Z",
            completeness: "unknown",
            reasons: ["before_window"],
          },
        ],
      },
      {
        platform: "reddit",
        spans: [
          {
            start: "2026-01-30T00:00:00.000Z",
            end: "2026-02-01T00:00:00.000Z",
            completeness: "unknown",
            reasons: ["not_configured"],
          },
        ],
      },
    ],
  },
  spikes: {
    judgements: [
      { platform: null, metric: "postings", status: "incomplete", judged: 0 },
      { platform: null, metric: "negative_share", status: "incomplete", judged: 0 },
      { platform: "news", metric: "postings", status: "incomplete", judged: 0 },
      { platform: "news", metric: "negative_share", status: "incomplete", judged: 0 },
      { platform: "reddit", metric: "postings", status: "incomplete", judged: 0 },
      { platform: "reddit", metric: "negative_share", status: "incomplete", judged: 0 },
    ],
    spikes: [],
  },
};
