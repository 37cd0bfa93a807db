import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startServer, type TestServer } from "../support/server.js";

const README = readFileSync(new URL("../../README.md", import.meta.url), "utf8");

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

it("answers the first request of the README as the README says", async () => {
  const request: unknown = JSON.parse(/operations".*\n\s+-d '(\{.*\})'/.exec(README)?.[1] ?? "");
  const answer: unknown = JSON.parse(/```json\n([^`]*)```/.exec(README)?.[1] ?? "");
  const authorization = await server.signIn();
  const created = await server.send("POST", "/api/v2/products/api/operations", { authorization, body: request });
  const read = await server.send("GET", `${created.headers.get("location")}?wait=60`, { authorization });
  expect((read.body as { data: unknown }).data).toEqual(answer);
});
