import express from "express";

/** The minimal Express server with the same bodies: the baseline of every ratio of the read route. */
const OPERATION = {
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

const app = express();
app.get("/", (_req, res) => {
  res.json({});
});
app.get("/api/v2/products/api/operations/:id", (_req, res) => {
  res.json(OPERATION);
});
app.post("/api/v2/products/api/operations", express.json(), (_req, res) => {
  res.status(201).json({ id: 1 });
});
app.listen(Number(process.env["PORT"]), "127.0.0.1");
