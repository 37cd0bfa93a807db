import { expect, it, onTestFinished } from "vitest";
import { freePort } from "../support/free-port.js";
import { sender, startServer } from "../support/server.js";

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
