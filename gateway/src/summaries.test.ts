import { AppError } from "@hourglass/runtime";
import { afterEach, describe, expect, it } from "vitest";
import { GatewayClient } from "./testing/gateway-under-test.js";

const SUMMARY = "/api/v2/products/insight/1/summary";

describe("summaries through the gateway", () => {
  const gateway = new GatewayClient();
  afterEach(() => gateway.stop());

  it.each([
    ["?q=kestrel&language=en&platform=news", /with this language and q in time\. Ask for fewer days/],
    ["?platform=news", /still being counted\. Try again in a minute/],
  ])("tell what helps if counting takes too long: %s", async (query, text) => {
    const summarize = () => Promise.reject(new AppError("deadline", "The service took too long to answer."));
    await gateway.start({ insight: { summarize } });
    const answer = await gateway.get(SUMMARY + query);
    expect(answer.status).toBe(504);
    expect(await answer.json()).toMatchObject({
      code: "deadline_exceeded",
      error: expect.stringMatching(text) as string,
    });
  });
});
