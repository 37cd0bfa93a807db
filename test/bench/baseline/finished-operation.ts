/** A finished operation of one text as REST answers it: what the baselines of the read route send. */
export const OPERATION = {
  id: 1,
  status: "done",
  query: { type: "text", analyses: ["sentiment-simple"], contents: ["I love it"], contents_groups: null },
  data: {
    contents_count: 1,
    contents: [
      {
        type: "text",
        content: "I love it",
        dimensions: ["textual"],
        analysis_type: ["sentiment-simple"],
        analysis_types: ["sentiment-simple"],
        analyses: [
          {
            source: "content",
            type: "sentiment-simple",
            dimension: "textual",
            group_index: null,
            data: { value: "positive", prob: 0.9734 },
            model: { id: "sentiment-simple-encoder", version: "0a1b2c3d" },
            language: "en",
            supported: true,
          },
        ],
      },
    ],
  },
  progress: { done: 1, total: 1 },
  created_at: "2026-01-01T00:00:00.000Z",
  finished_at: "2026-01-01T00:00:00.100Z",
};
