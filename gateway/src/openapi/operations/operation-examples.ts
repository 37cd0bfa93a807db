import { FILE_REQUEST, URLS_REQUEST, VIDEO_RECORD } from "./file-examples.js";
import type { Schema } from "../schema.js";

const TEXT = "I love the new museum in Lisbon!";

const EXPLAINED = { type: "text", analyses: ["sentiment-simple", "topic"], contents: [TEXT], explain: true };

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

/** Examples of operations that are done. */
export const RECORD_EXAMPLES: Readonly<Record<string, Schema>> = {
  explained: {
    summary: "One post, with the reasons",
    value: {
      id: 1,
      status: "done",
      query: { ...EXPLAINED, contents_groups: null },
      data: {
        contents_count: 1,
        contents: [
          {
            type: "text",
            content: TEXT,
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
                  prob: 0.9836,
                  explanation: {
                    probabilities: { positive: 0.9836, neutral: 0.0131, negative: 0.0033 },
                    spans: [
                      { start: 2, end: 6, text: "love", weight: 0.71 },
                      { start: 11, end: 14, text: "new", weight: 0.04 },
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
                  { value: "Lisbon", topic_type: "entity", sub_type: "GPE", offsets: [{ start: 25, end: 31 }] },
                  {
                    value: "new museum",
                    topic_type: "noun-chunk",
                    sub_type: "NOUN",
                    offsets: [{ start: 11, end: 21 }],
                  },
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
    },
  },
  video: { summary: "A video in which somebody speaks", value: VIDEO_RECORD },
};
