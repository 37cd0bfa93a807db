import { Hourglass, HourglassError, type HourglassOptions } from "@hourglass/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EMAIL, PASSWORD, startServer, type TestServer } from "../support/server.js";
import { plainPicture } from "./sample-files.js";

const TEXT = { type: "text" as const, analyses: ["spam-detection" as const], contents: ["The museum opens."] };

/** What comes instead of an answer: a response, a request that never arrives, or an answer that is lost on its way back. */
type Fault = Response | "no way there" | "no way back";

let server: TestServer;
let token: string;

beforeAll(async () => {
  server = await startServer();
  token = (await server.signIn()).replace("Bearer ", "");
});
afterAll(() => server.close());

const refusal = (status: number, headers: Record<string, string> = {}) => new Response("{}", { status, headers });
const lost = () => new TypeError("fetch failed");

/** A client whose first requests meet faults; it tells what it sent, and how long it would have waited. */
function unsteady(faults: readonly Fault[], options: Partial<HourglassOptions> = {}) {
  const keys: (string | null)[] = [];
  const pauses: number[] = [];
  const send: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    keys.push(request.headers.get("idempotency-key"));
    const fault = faults[keys.length - 1];
    if (fault instanceof Response) return fault;
    if (fault === "no way there") throw lost();
    const response = await fetch(request);
    if (fault === undefined) return response;
    await response.body?.cancel();
    throw lost();
  };
  const pause = (ms: number) => {
    pauses.push(ms);
    return Promise.resolve();
  };
  return { hourglass: new Hourglass({ baseUrl: server.url, token, fetch: send, pause, ...options }), keys, pauses };
}

const failureOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  );

describe("a client whose server is away or asks to wait", () => {
  it("creates once what it sends again, and by one key", async () => {
    const { hourglass, keys } = unsteady(["no way there", "no way back", refusal(503), refusal(429)]);
    const id = await hourglass.createOperation(TEXT);
    expect(new Set(keys).size).toBe(1);
    expect(keys).toHaveLength(5);
    const ids: number[] = [];
    for await (const operation of hourglass.operations()) ids.push(operation.id);
    expect(ids).toEqual([id]);
  });

  it("waits as long as the server says, else longer each time, and never exactly as long as others", async () => {
    const date = new Date(Date.now() + 60_000).toUTCString();
    const faults = [
      refusal(503, { "Retry-After": "7" }),
      refusal(503, { "Retry-After": date }),
      refusal(502),
      refusal(504),
    ];
    const { hourglass, pauses } = unsteady(faults);
    await hourglass.api.GET("/api/v2/server");
    const bounds = [
      [7000, 7500],
      [58_000, 60_500],
      [1000, 2000],
      [2000, 4000],
    ];
    expect(pauses).toHaveLength(bounds.length);
    for (const [at, [least = 0, most = 0]] of bounds.entries()) {
      expect(pauses[at]).toBeGreaterThanOrEqual(least);
      expect(pauses[at]).toBeLessThanOrEqual(most);
    }
  });

  it("does not repeat what may have been done already, unless it has a key; what was refused as too much was not", async () => {
    const body = { user: { email: EMAIL, password: PASSWORD } };
    for (const fault of [refusal(503), "no way back"] as const) {
      const { hourglass, keys } = unsteady([fault]);
      expect(await failureOf(hourglass.api.POST("/api/v1/users/sign_in", { body }))).toBeInstanceOf(Error);
      expect(keys).toHaveLength(1);
    }
    const { hourglass, keys } = unsteady([refusal(429)]);
    expect((await hourglass.signIn(EMAIL, PASSWORD)).email).toBe(EMAIL);
    expect(keys).toHaveLength(2);
  });

  it("gives up after as many retries as it was told, and at once where it is asked to wait for long", async () => {
    const away = Array.from({ length: 9 }, () => refusal(503, { "Retry-After": "1" }));
    const patient = unsteady(away, { retries: 2 });
    expect(await failureOf(patient.hourglass.createOperation(TEXT))).toMatchObject({ status: 503 });
    expect(patient.keys).toHaveLength(3);
    const { hourglass, keys } = unsteady([refusal(429, { "Retry-After": "600" })]);
    const failure = await failureOf(hourglass.api.GET("/api/v2/server"));
    expect(failure).toBeInstanceOf(HourglassError);
    expect(failure).toMatchObject({ status: 429, retryAfterSeconds: 600 });
    expect(keys).toHaveLength(1);
  });

  it("uploads a file once whose answer was lost", async () => {
    const { hourglass } = unsteady(["no way back", refusal(503)]);
    const id = await hourglass.upload(new Blob([await plainPicture()]));
    const { data } = await hourglass.api.GET("/api/v2/products/api/operations/upload");
    expect(data?.files.map((file) => file.id)).toEqual([id]);
  });

  it("ends a pause when its time is over, or when it is told to", async () => {
    const away = () => Promise.resolve(refusal(503, { "Retry-After": "100" }));
    const hourglass = new Hourglass({ baseUrl: server.url, fetch: away });
    await expect(hourglass.waitForOperation(1, { timeoutMs: 20 })).rejects.toMatchObject({ name: "TimeoutError" });
    const stop = new AbortController();
    const wait = hourglass.waitForOperation(1, { signal: stop.signal });
    stop.abort(new Error("enough"));
    await expect(wait).rejects.toThrow("enough");
  });
});
