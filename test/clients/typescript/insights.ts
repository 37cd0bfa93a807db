import assert from "node:assert/strict";
import type { Client } from "openapi-fetch";
import type { paths } from "./api.js";

const POSTING = {
  platform: "reddit",
  social_id: "t3_1",
  post_date: "10/5/2026",
  post_time: "08:30:00",
  text_of_post: "I love the new museum in Lisbon!",
};

/** Creates an insight, imports a posting, and reads it from the list, a summary and an export. */
export async function useInsights(client: Client<paths>): Promise<void> {
  const created = await client.POST("/api/v2/products/insight", {
    body: { query: { keywords: "museum", platforms: ["reddit"], dimensions: ["textual"] } },
  });
  assert(created.data?.notice, created.error?.error);
  const id = Number(created.response.headers.get("location")?.split("/").at(-1));
  const path = { id };

  const imported = await client.POST("/api/v2/products/insight/{id}/postings", {
    params: { path },
    headers: { "Content-Type": "application/x-ndjson" },
    body: new Blob([JSON.stringify(POSTING)]),
    bodySerializer: (body) => body,
  });
  assert.deepEqual(imported.data, { accepted: 1, duplicates: 0, warnings: [] }, imported.error?.error);

  const made = await client.POST("/api/v2/products/insight/exports", {
    body: { insight_search_ids: [id], start_date: "2026-10-01", end_date: "2026-11-01" },
  });
  assert(made.data, made.error?.error);
  const ofExport = { path: { id: made.data.id } };
  const { data: done } = await client.GET("/api/v2/products/insight/exports/{id}", {
    params: { ...ofExport, query: { wait: 60 } },
  });
  assert(typeof done === "object" && "status" in done && done.status === "done");
  assert.equal(done.data?.[0]?.social_id, "t3_1");

  const file = await client.GET("/api/v2/products/insight/exports/{id}/download", {
    params: { ...ofExport, query: { format: "csv" } },
    parseAs: "text",
  });
  assert.match(file.data ?? "", /^insight_search_id,social_id,/);

  const { data: list } = await client.GET("/api/v2/products/insight/{id}/postings", { params: { path } });
  assert.equal(list?.postings[0]?.platform, "reddit");
  const range = { start_date: "2026-10-01", end_date: "2026-11-01" };
  const { data: summary } = await client.GET("/api/v2/products/insight/{id}/summary", {
    params: { path, query: { ...range, interval: "week" } },
  });
  assert.deepEqual([summary?.totals.postings, summary?.top.topics.values[0]?.value.toLowerCase()], [1, "lisbon"]);

  assert.equal((await client.PUT("/api/v2/products/insight/{id}/pause", { params: { path } })).response.status, 200);
  assert.equal((await client.DELETE("/api/v2/products/insight/{id}", { params: { path } })).response.status, 204);
}
