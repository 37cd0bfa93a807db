import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startServer, type TestServer } from "../support/server.js";
import { admin, USER_PASSWORD } from "./admin.js";
import { OPERATIONS, UPLOAD, User } from "./routes.js";
import { photo } from "./sample-files.js";

const NEIGHBOR = "neighbor@example.com";
/** Number of operations of the heavy company, and number of contents of each. */
const [HEAVY, CONTENTS] = [6, 100];
const LONG_TEXT = "The quick brown fox likes the new phone, but hates its battery. ".repeat(300);

describe("a company beside one with the worst of operations", () => {
  let server: TestServer;
  let heavy: User;
  let neighbor: User;
  let site: Server;
  let heavyIds: number[] = [];

  beforeAll(async () => {
    server = await startServer({ ALLOW_PRIVATE_URLS: "true", OFFLINE: "1" });
    await admin(server.storage, "company", "create", "--name", "Neighbor");
    await admin(server.storage, "user", "create", "--email", NEIGHBOR, "--company", "Neighbor");
    heavy = await User.signIn(server);
    neighbor = await User.signIn(server, NEIGHBOR, USER_PASSWORD);
    site = createServer((_request, response) => drip(response));
    await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  });
  afterAll(async () => {
    await server.close();
    site.closeAllConnections();
    await new Promise((resolve) => site.close(resolve));
  });
  beforeEach(async () => {
    for (const id of heavyIds) await heavy.send("DELETE", `${OPERATIONS}/${id}`);
    heavyIds = [];
  });

  /** Sends a byte per second of a picture that never ends. */
  function drip(response: ServerResponse): void {
    response.writeHead(200, { "content-type": "image/png" });
    const timer = setInterval(() => response.write("x"), 1000);
    response.on("close", () => clearInterval(timer));
  }

  async function create(user: User, body: object): Promise<number> {
    const { status, text, body: answer } = await user.post(OPERATIONS, body);
    expect(status, text).toBe(201);
    return (answer as { id: number }).id;
  }

  async function upload(user: User, bytes: Buffer): Promise<number> {
    const form = new FormData();
    form.set("file", new Blob([new Uint8Array(bytes)]), "a photo");
    const headers = { authorization: user.authorization };
    const answer = await fetch(server.url + UPLOAD, { method: "POST", headers, body: form });
    return ((await answer.json()) as { id: number }).id;
  }

  async function statusOf(user: User, id: number, wait = 0): Promise<string> {
    const { body } = await user.get(`${OPERATIONS}/${id}?wait=${wait}`);
    return (body as { status: string }).status;
  }

  /** Creates the heavy operations, and waits until the first are in work. */
  async function load(body: (operation: number) => object): Promise<void> {
    for (let operation = 0; operation < HEAVY; operation++) heavyIds.push(await create(heavy, body(operation)));
    await expect.poll(() => statusOf(heavy, heavyIds[0] ?? 0)).toBe("running");
  }

  const heavyStates = async () => new Set(await Promise.all(heavyIds.map((id) => statusOf(heavy, id))));
  const unfinished = ["pending", "ready", "running"];

  it("has its text and its photo analyzed while sites drip for the other", async () => {
    const { port } = site.address() as AddressInfo;
    await load((operation) => ({
      type: "file",
      analyses: ["object-id"],
      contents: Array.from({ length: CONTENTS }, (_, url) => `http://127.0.0.1:${port}/${operation}/${url}`),
    }));
    const text = await create(neighbor, { type: "text", analyses: ["sentiment-simple"], contents: ["I love it."] });
    expect(await statusOf(neighbor, text, 60)).toBe("done");
    const own = await create(heavy, { type: "text", analyses: ["sentiment-simple"], contents: ["I love it."] });
    expect(await statusOf(heavy, own, 60)).toBe("done");
    const contents = [await upload(neighbor, await photo(1))];
    const picture = await create(neighbor, { type: "file", analyses: ["object-id"], contents });
    expect(await statusOf(neighbor, picture, 60)).toBe("done");
    for (const state of await heavyStates()) expect(unfinished).toContain(state);
  });

  it("has its text analyzed while the other's long texts are", async () => {
    const analyses = ["sentiment-simple", "sentiment-real", "topic", "spam-detection", "intention", "personality-mb"];
    await load(() => ({ type: "text", analyses, contents: Array.from({ length: CONTENTS }, () => LONG_TEXT) }));
    const text = await create(neighbor, { type: "text", analyses, contents: ["I love it."] });
    expect(await statusOf(neighbor, text, 60)).toBe("done");
    // The last of them has not begun, or is not done.
    expect(unfinished).toContain(await statusOf(heavy, heavyIds.at(-1) ?? 0));
  });
});
