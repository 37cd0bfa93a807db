// A client of types that openapi-typescript made: `node main.js BASE_URL PICTURE`, with the password in PASSWORD.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import createClient from "openapi-fetch";
import type { components, paths } from "./api.js";

const [, , baseUrl = "", picture = ""] = process.argv;
const client = createClient<paths>({ baseUrl });

const signedIn = await client.POST("/api/v1/users/sign_in", {
  body: { user: { email: "admin@example.com", password: process.env["PASSWORD"] ?? "" } },
});
assert.equal(signedIn.data?.company.products[0]?.active, true);
const authorization = signedIn.response.headers.get("authorization") ?? "";
client.use({ onRequest: ({ request }) => request.headers.set("authorization", authorization) });

/** What a result found, told apart by its type. */
function summary(analysis: components["schemas"]["Analysis"]): string {
  switch (analysis.type) {
    case "sentiment-simple":
      return `${analysis.data.value} ${analysis.data.explanation?.probabilities.positive ?? 0}`;
    case "topic":
      return analysis.data.map(({ value, topic_type }) => `${topic_type} ${value}`).join();
    case "caption":
      return analysis.data.map(({ description }) => description ?? "").join();
    case "personality-mb":
      return `${analysis.data.value} ${analysis.data.group}`;
    default:
      return analysis.type;
  }
}

async function analyse(body: components["schemas"]["NewOperation"]): Promise<number> {
  const { data: created } = await client.POST("/api/v2/products/api/operations", { body });
  assert(created);
  const params = { path: { id: created.id }, query: { wait: 60 } };
  const { data: operation } = await client.GET("/api/v2/products/api/operations/{id}", { params });
  assert.equal(operation?.status, "done");
  const [content] = operation.data?.contents ?? [];
  assert.deepEqual(
    content?.analyses.map(({ type }) => type),
    body.analyses,
  );
  assert(content.analyses.every((analysis) => summary(analysis) !== ""));
  return created.id;
}

async function upload(): Promise<number> {
  const { data, error } = await client.POST("/api/v2/products/api/operations/upload", {
    body: { file: new Blob([await readFile(picture)]) },
    bodySerializer: ({ file }) => {
      const form = new FormData();
      form.set("file", file, "picture.jpg");
      return form;
    },
  });
  assert(data, error?.error);
  return data.id;
}

const texts = await analyse({
  type: "text",
  analyses: ["sentiment-simple", "topic"],
  contents: ["I love the new museum in Lisbon!"],
  explain: true,
});

const unused = await upload();
const one = { params: { path: { id: unused } } };
const { data: file } = await client.GET("/api/v2/products/api/operations/upload/{id}", one);
assert.deepEqual([file?.type, file?.has_sound, file?.duration, file?.state], ["jpg", false, null, "unused"]);
const { data: files } = await client.GET("/api/v2/products/api/operations/upload");
assert(files?.files.some(({ id }) => id === unused));
const gone = await client.DELETE("/api/v2/products/api/operations/upload/{id}", one);
assert.equal(gone.response.status, 204);

const pictures = await analyse({ type: "file", analyses: ["object-id", "caption"], contents: [await upload()] });

const { data: page } = await client.GET("/api/v2/products/api/operations", { params: { query: { limit: 2 } } });
assert.deepEqual(
  page?.operations.map(({ id }) => id),
  [pictures, texts],
);
for (const id of [pictures, texts]) {
  const { response } = await client.DELETE("/api/v2/products/api/operations/{id}", { params: { path: { id } } });
  assert.equal(response.status, 204);
}

const { error } = await client.GET("/api/v2/products/api/operations/{id}", { params: { path: { id: texts } } });
assert.equal(error?.code, "operation_not_found");
