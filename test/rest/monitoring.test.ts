import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { freePort } from "../support/free-port.js";
import { sender, startServer, type TestServer } from "../support/server.js";
import { OPERATIONS, User } from "./routes.js";

it.each([{ HOST: "0.0.0.0" }, { HOST: "127.0.0.1" }])(
  "shows its metrics and what it depends on to monitors alone, on OPS_PORT, when it listens on $HOST",
  async ({ HOST }) => {
    const server = await startServer({ HOST, OPS_PORT: String(await freePort()) });
    onTestFinished(() => server.close());
    const asked = await server.send("GET", "/readyz");
    expect([asked.status, Object.keys(asked.body as object)]).toEqual([200, ["status"]]);
    expect((await server.send("GET", "/metrics")).status).toBe(404);
    const monitor = sender(server.opsUrl);
    expect((await monitor("GET", "/readyz")).body).toHaveProperty("dependencies");
    expect((await monitor("GET", "/metrics")).text).toContain("hourglass_http_request_duration_seconds_count");
  },
);

describe("the metrics of the process that serves REST", () => {
  let server: TestServer;
  let user: User;

  beforeAll(async () => {
    server = await startServer();
    user = await User.signIn(server);
  });
  afterAll(() => server.close());

  /** The lines of a metric, without those of other metrics that begin alike. */
  const lines = async (name: string): Promise<string[]> => {
    const { text } = await sender(server.opsUrl)("GET", "/metrics");
    return text.split("\n").filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
  };

  it("say what it was built from, and what it depends on", async () => {
    const [built] = await lines("hourglass_build_info");
    expect(built).toMatch(/^hourglass_build_info\{version="\d+\.\d+\.\d+",revision="[^"]+",node="v\d+[^"]*"\} 1$/);
    const up = await lines("hourglass_dependency_up");
    expect(up.length).toBeGreaterThan(1);
    for (const line of up) expect(line).toMatch(/^hourglass_dependency_up\{dependency="\w+"\} 1$/);
  });

  it("count open connections", async () => {
    const [open] = await lines("hourglass_http_connections");
    expect(Number(open?.split(" ")[1])).toBeGreaterThan(0);
  });

  it("count requests that asked to wait apart", async () => {
    const order = { type: "text", analyses: ["sentiment-simple"], contents: ["I love it."] };
    const { id } = (await user.post(OPERATIONS, order)).body as { id: number };
    for (const query of ["?wait=60", ""]) await user.get(`${OPERATIONS}/${id}${query}`);
    const counted = (await lines("hourglass_http_request_duration_seconds_count")).filter((line) =>
      line.includes(`route="${OPERATIONS}/:id"`),
    );
    expect(counted.map((line) => /waited="(\w+)"\} (\d+)$/.exec(line)?.slice(1)).sort()).toEqual([
      ["false", "1"],
      ["true", "1"],
    ]);
  });
});
