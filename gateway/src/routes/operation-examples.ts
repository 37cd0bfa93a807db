import type { Media } from "../http/route.js";

type Examples = NonNullable<Media["examples"]>;

const PICTURED = ["sentiment-simple", "object-id", "caption"];
const REASONED = ["sentiment-simple", "topic"];

/** The text that is analyzed. */
export const TEXT = "I love the new museum in Lisbon!";
/** Begins with a character of one code point and two UTF-16 units. */
const EMOJI_TEXT = `\u{1f600} ${TEXT}`;

const LABELS = { name: "Museum, January", metadata: { campaign: "winter", ticket: "4711" } };

const EXPLAINED = { type: "text", analyses: REASONED, contents: [EMOJI_TEXT], explain: true };
const EXPLAINED_IN_UTF16 = { ...EXPLAINED, offsets: "utf16" };
/** Analyses a previously uploaded file. */
const FILE_REQUEST = { type: "file", analyses: PICTURED, contents: [5] };

/** Example requests. */
export const REQUEST_EXAMPLES: Examples = {
  two: {
    summary: "Two posts",
    value: { type: "text", analyses: REASONED, contents: [TEXT, "The queue was far too long."] },
  },
  labeled: {
    summary: "One post, with a name for people and metadata for programs",
    value: { type: "text", analyses: ["sentiment-simple"], contents: [TEXT], ...LABELS },
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
  urls: {
    summary: "Files at URLs",
    value: {
      type: "file",
      analyses: ["caption", "logo-id"],
      contents: ["https://example.com/street.jpg", "https://example.com/dancing.gif"],
    },
  },
};

interface Asked {
  readonly type: string;
  readonly analyses: readonly string[];
  readonly contents: readonly unknown[];
}

const CREATED_BY = { user_id: 1, key_id: null, name: "admin@example.com" };

/** The record of an operation on one content that is done after some seconds. */
function record(id: number, asked: Asked, seconds: string, found: object) {
  const { type, analyses, contents } = asked;
  const [content] = contents;
  return {
    id,
    status: "done",
    query: { ...asked, contents_groups: null },
    data: {
      contents_count: 1,
      contents: [{ type, content, analysis_type: analyses, analysis_types: analyses, ...found }],
    },
    progress: { done: 1, total: 1 },
    failed_contents: 0,
    created_at: "2026-01-31T12:00:00.000Z",
    finished_at: `2026-01-31T12:00:${seconds}Z`,
    created_by: CREATED_BY,
  };
}

/** A result of a model, from a part of the content such as `content textual`. */
function result(type: string, part: string, model: string, data: unknown) {
  const [source, dimension] = part.split(" ");
  const [id, version] = model.split(" ");
  return { source, type, dimension, group_index: null, data, model: { id, version } };
}

const IN_ENGLISH = { language: "en", supported: true };

/** What is found in the text, and why; it stands so many units after the beginning of the content, behind an emoji if any. */
export function reasonedAnalyses(before: number) {
  const range = (start: number, end: number) => ({ start: before + start, end: before + end });
  const spans =
    before === 0
      ? [
          { ...range(0, 6), text: "I love", weight: 0.7157 },
          { ...range(15, 21), text: "museum", weight: 0.2365 },
        ]
      : [
          { start: 0, end: before + 6, text: "\u{1f600} I love", weight: 0.5564 },
          { ...range(15, 21), text: "museum", weight: 0.1284 },
        ];
  const explanation = { probabilities: { positive: 0.9899, neutral: 0.0062, negative: 0.0039 }, spans };
  const sentiment = { value: "positive", prob: 0.9899, explanation };
  const topics = [
    { value: "Lisbon", topic_type: "entity", sub_type: "GPE", offsets: [range(25, 31)] },
    { value: "new museum", topic_type: "noun-chunk", sub_type: "NOUN", offsets: [range(11, 21)] },
  ];
  return [
    { ...result("sentiment-simple", "content textual", "sentiment-simple-encoder 1", sentiment), ...IN_ENGLISH },
    { ...result("topic", "content textual", "topic-encoder 1", topics), ...IN_ENGLISH },
  ];
}

/** An explained post, of whose text the first `before` characters, in its unit, are the emoji and a space. */
function explained(asked: Asked, before: number) {
  const analyses = reasonedAnalyses(before);
  return record(1, asked, "00.080", { dimensions: ["textual"], analyses });
}

/** A picture of three people: where they and their faces are. */
const PICTURE = record(2, { type: "file", analyses: ["face-id", "object-id"], contents: [4] }, "00.900", {
  dimensions: ["visual-image"],
  analyses: [
    result("face-id", "content visual-image", "face-api-ssd-mobilenetv1 2", [
      {
        value: "face",
        prob: 0.9985,
        count: 3,
        boxes: [
          [0.7532, 0.1123, 0.1013, 0.1767, 0.9985],
          [0.4679, 0.1644, 0.0801, 0.1626, 0.9856],
          [0.1877, 0.1007, 0.0782, 0.1825, 0.9647],
        ],
      },
    ]),
    result("object-id", "content visual-image", "centernet-and-efficientnet-lite2 1", [
      {
        value: "person",
        prob: 0.9387,
        count: 3,
        boxes: [
          [0.6269, 0.0513, 0.356, 0.9431, 0.9387],
          [0.4153, 0.0718, 0.2786, 0.9077, 0.7227],
          [0.1434, 0.0363, 0.3398, 0.9637, 0.6335],
        ],
      },
      { value: "cell phone", prob: 0.6837, count: 1, boxes: [[0.0339, 0.9152, 0.1254, 0.0698, 0.6837]] },
    ]),
  ],
});

/** A video of 15 seconds: its transcript, when and where people are seen, and its scenes. */
const VIDEO = record(3, FILE_REQUEST, "08.500", {
  dimensions: ["visual-video", "audial"],
  analyses: [
    {
      ...result("sentiment-simple", "transcript audial", "sentiment-simple-encoder encoder-377487c5", {
        value: "negative",
        prob: 0.82,
      }),
      ...IN_ENGLISH,
    },
    result("object-id", "content visual-video", "centernet-and-efficientnet-lite2 1", [
      {
        value: "person",
        prob: 0.9468,
        moments: [
          {
            start: 0,
            end: 15,
            at: 4.04,
            count: 2,
            boxes: [
              [0.5313, 0.1204, 0.2521, 0.8796, 0.9468],
              [0.1042, 0.2231, 0.2104, 0.7417, 0.8126],
            ],
          },
        ],
      },
    ]),
    result("caption", "content visual-video", "caption-composed 5", [
      {
        description: null,
        duration: "00:00:15",
        descriptions: [{ timestamp: "00:00:00", description: "two people" }],
      },
    ]),
  ],
  transcript: {
    text: "Ever tried. Ever failed. No matter.",
    segments: [
      { start: 0.1, end: 1.5, text: "Ever tried.", language: "en" },
      { start: 1.6, end: 3.1, text: "Ever failed.", language: "en" },
      { start: 3.3, end: 4.4, text: "No matter.", language: "en" },
    ],
    language: "en",
    supported: true,
    model: { id: "onnx-community/moonshine-tiny-ONNX", version: "94e90acf524c" },
  },
  ocr_text: "",
});

/** Examples of operations that are done. */
export const RECORD_EXAMPLES: Examples = {
  explained: { summary: "One post, with the reasons", value: explained(EXPLAINED, 2) },
  utf16: {
    summary: "One post, with the reasons and offsets for JavaScript, Java or C#",
    value: explained(EXPLAINED_IN_UTF16, 3),
  },
  picture: { summary: "A picture of three people", value: PICTURE },
  video: { summary: "A video in which somebody speaks", value: VIDEO },
};

/** An entry of a list. */
export const LIST_EXAMPLE = {
  id: 4,
  status: "done",
  query: { type: "text", analyses: ["sentiment-simple"], contents_groups: null },
  progress: { done: 1, total: 1 },
  failed_contents: 0,
  created_at: "2026-01-31T12:00:00.000Z",
  finished_at: "2026-01-31T12:00:00.080Z",
  ...LABELS,
  created_by: CREATED_BY,
  preview: TEXT,
};

/** A page of contents. */
export const CONTENT_PAGE_EXAMPLE = {
  contents: [
    {
      index: 0,
      type: "text",
      content: TEXT,
      dimensions: ["textual"],
      analysis_type: ["sentiment-simple"],
      analysis_types: ["sentiment-simple"],
      analyses: [
        {
          ...result("sentiment-simple", "content textual", "sentiment-simple-encoder 1", {
            value: "positive",
            prob: 0.9899,
          }),
          ...IN_ENGLISH,
        },
      ],
    },
  ],
  next_cursor: null,
};
