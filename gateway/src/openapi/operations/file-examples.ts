const ANALYSES = ["sentiment-simple", "object-id", "caption"];

/** Analyses a previously uploaded file. */
export const FILE_REQUEST = { type: "file", analyses: ANALYSES, contents: [5] };

/** Analyses files that this server fetches. */
export const URLS_REQUEST = {
  type: "file",
  analyses: ["caption", "logo-id"],
  contents: ["https://example.com/street.jpg", "https://example.com/dancing.gif"],
};

/** The record of a video of 15 seconds: its transcript, when people are seen, and its scenes. */
export const VIDEO_RECORD = {
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
