import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sender, startServer, type TestServer } from "../support/server.js";
import { KEYS, OPERATIONS, User } from "./routes.js";

describe("the addresses that an API key is used from", () => {
  let server: TestServer;
  let authorization: string;
  beforeAll(async () => {
    server = await startServer({ TRUSTED_PROXIES: "127.0.0.1" });
    const user = await User.signIn(server);
    const body = { name: "Feed", scopes: ["operations"] };
    const { body: made } = await server.send("POST", KEYS, { authorization: user.authorization, body });
    authorization = `Bearer ${(made as { key: string }).key}`;
  });
  afterAll(() => server.close());

  const use = (client: string) =>
    server.send("GET", OPERATIONS, { authorization, headers: { "x-forwarded-for": client } });
  const largest = async (): Promise<number> => {
    const { text } = await sender(server.opsUrl)("GET", "/metrics");
    return Number(/^hourglass_key_addresses (\d+)$/m.exec(text)?.[1]);
  };

  it("are counted for monitors, without a series for each key", async () => {
    expect(await largest()).toBe(0);
    for (const client of ["203.0.113.1", "203.0.113.2", "203.0.113.1", "2001:db8::1", "2001:db8::2"]) {
      expect((await use(client)).status).toBe(200);
    }
    expect(await largest()).toBe(3);
    // What no key stands for is counted for none.
    await server.send("GET", OPERATIONS, {
      authorization: "Bearer hg_none",
      headers: { "x-forwarded-for": "203.0.113.3" },
    });
    expect(await largest()).toBe(3);
  });
});
