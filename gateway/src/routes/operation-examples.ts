import type { Media } from "../http/route.js";

type Examples = NonNullable<Media["examples"]>;

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
export const REQUEST_EXAMPLES: Examples = {
  two: {
    summary: "Two posts",
    value: { type: "text", analyses: ["sentiment-simple", "topic"], contents: [TEXT, "The queue was far too long."] },
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
function explainedRecord(query: typeof EXPLAINED, before: number) {
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
export const RECORD_EXAMPLES: Examples = {
  explained: { summary: "One post, with the reasons", value: explainedRecord(EXPLAINED, 2) },
  utf16: {
    summary: "One post, with the reasons and offsets for JavaScript, Java or C#",
    value: explainedRecord(EXPLAINED_IN_UTF16, 3),
  },
  video: { summary: "A video in which somebody speaks", value: VIDEO_RECORD },
};
