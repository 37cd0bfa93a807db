import { newsapiProblem } from "@hourglass/demo";
import { describe, expect, it } from "vitest";
import { errorOfResponse } from "./api.js";

const NOW = Date.UTC(2026, 10, 22, 12);
const HOUR = 60 * 60_000;

const failureOf = (code: string, { status, headers = {}, message }: Partial<Given> = {}) => {
  const reply = newsapiProblem(code, message);
  return errorOfResponse({ status: status ?? reply.status ?? 0, headers, body: reply.body }, NOW);
};

interface Given {
  status: number;
  headers: Record<string, string>;
  message: string;
}

describe("an error of NewsAPI", () => {
  it.each([
    ["apiKeyInvalid", "auth", /rejects the key.*renew NEWSAPI_KEY/],
    ["apiKeyMissing", "auth", /rejects the key.*renew NEWSAPI_KEY/],
    ["apiKeyDisabled", "auth", /disabled the key/],
    ["apiKeyExhausted", "budget", /used up.*NEWSAPI_REQUESTS_PER_DAY/],
    ["rateLimited", "rate", /too many requests.*NEWSAPI_REQUESTS_PER_DAY/],
    ["maximumResultsReached", "permanent", /plan gives no more results.*Narrow/],
    ["parameterInvalid", "permanent", /refuses the request \(400\)/],
    ["parametersMissing", "permanent", /refuses the request \(400\)/],
    ["unexpectedError", "temporary", /is failing \(500\)/],
    ["somethingNew", "permanent", /refuses the request \(400\)/],
  ])("%s is of the kind %s, with a sentence that says what to do", (code, kind, sentence) => {
    expect(failureOf(code)).toMatchObject({ kind, message: expect.stringMatching(sentence) as string });
  });

  it("about a key that is used up waits for the next day of UTC", () => {
    expect(failureOf("apiKeyExhausted")).toMatchObject({ retryAt: Date.UTC(2026, 10, 23), requests: 1 });
  });

  it("about too many requests waits as it says, or for an hour", () => {
    expect(failureOf("rateLimited").retryAt).toBe(NOW + HOUR);
    expect(failureOf("rateLimited", { headers: { "retry-after": "60" } }).retryAt).toBe(NOW + 60_000);
  });

  it("about a search that reaches too far back says that the plan does not allow it", () => {
    const message = "You are trying to request results too far in the past.";
    expect(failureOf("parameterInvalid", { message }).message).toMatch(/plan does not reach as far back/);
  });

  it("without a code means what its status means", () => {
    expect(errorOfResponse({ status: 503, headers: {}, body: undefined }, NOW).kind).toBe("temporary");
  });

  it("is quoted, and not at any length", () => {
    const { message } = failureOf("parameterInvalid", { message: "x".repeat(5000) });
    expect(message).toContain("It says: xxx");
    expect(message.length).toBeLessThan(500);
  });
});
