import { afterAll, beforeAll, expect, it } from "vitest";
import { startServer, type TestServer } from "../support/server.js";
import { User } from "./routes.js";

let server: TestServer;
let user: User;

beforeAll(async () => {
  server = await startServer({
    MAX_CONTENTS: "7",
    EXPORT_DAYS: "0",
    RETENTION_DAYS_NEWS: "12",
    REVISION: "abc",
    DEMO: "1",
  });
  user = await User.signIn(server);
});
afterAll(() => server.close());

it("describes itself as it is configured", async () => {
  const { body } = await user.get("/api/v2/server");
  expect(body).toMatchObject({
    revision: "abc",
    demo: true,
    limits: { contents: 7 },
    retention: { exports_days: null, postings: expect.arrayContaining([{ platform: "news", days: 12 }]) as unknown },
  });
});

it("knows in time which analyses it can carry out", async () => {
  const states = async () => {
    const { analyses } = (await user.get("/api/v2/server")).body as { analyses: { type: string; state: string }[] };
    return analyses.find(({ type }) => type === "sentiment-simple")?.state;
  };
  await expect
    .poll(states, { timeout: 60_000, interval: 200 })
    .toMatch(process.env["TEST_TOPOLOGY"] === "processes" ? "unknown" : "ready");
});
