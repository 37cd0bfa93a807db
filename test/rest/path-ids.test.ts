import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startServer, type TestServer } from "../support/server.js";
import { EXPORTS, EXPORTS_ALIAS, INSIGHTS, OPERATIONS, TEXT_OPERATION, User, type Failure } from "./routes.js";

const NO_IDS = [
  "0",
  "00",
  "01",
  "-1",
  "+1",
  "1.0",
  "1e0",
  "0x1",
  " 1",
  "1%20",
  "%201",
  "1%00",
  "%EF%BC%91", // a full-width 1
  "%D9%A1", // an Arabic 1
  "9007199254740992",
  "9007199254740993",
  "18446744073709551617",
  "1".repeat(400),
  "1,2",
  "1;2",
  "null",
  "__proto__",
  "%zz",
  "%",
  "a%2Fb",
];

describe("ids in paths", () => {
  let server: TestServer;
  let user: User;

  beforeAll(async () => {
    server = await startServer();
    user = await User.signIn(server);
    expect((await user.post(OPERATIONS, TEXT_OPERATION)).status).toBe(201); // a record to hit by mistake
  });
  afterAll(() => server.close());

  it.each(NO_IDS)("answers 404 to %s", async (id) => {
    for (const path of [OPERATIONS, INSIGHTS, EXPORTS, EXPORTS_ALIAS]) {
      const answer = await user.get(`${path}/${id}`);
      expect(answer.status, path).toBe(404);
      expect((answer.body as Failure).error).toEqual(expect.any(String));
    }
    expect((await user.send("DELETE", `${OPERATIONS}/${id}`)).status).toBe(404);
  });

  it.each(NO_IDS)("answers 400 to pausing and resuming %s", async (id) => {
    for (const verb of ["pause", "resume"]) {
      const answer = await user.send("PUT", `${INSIGHTS}/${id}/${verb}`);
      expect(answer.status).toBe(400);
      expect((answer.body as Failure).error).toEqual(expect.any(String));
    }
  });

  it("takes the largest id for one that is not there", async () => {
    expect((await user.get(`${OPERATIONS}/9007199254740991`)).status).toBe(404);
  });
});
