import { RedditUpstream } from "@hourglass/demo";
import { createHttpClient, type HttpClient } from "@hourglass/runtime";
import { repeats } from "@hourglass/runtime/testing";
import fc from "fast-check";
import { expect, it } from "vitest";
import { PlatformError } from "../connector.js";
import { ConnectorWorld } from "../testing/connector-world.js";
import { mutated, mutations } from "../testing/mutations.js";
import { REDDIT } from "./index.js";
import { CREDENTIALS, environment } from "./testing/environment.js";

const PAGES = 300;

/** A client that lets tokens through, and answers all else with the JSON of a value. */
function answering(http: HttpClient, valueOf: () => unknown): HttpClient {
  return {
    request: async (url, request) => {
      const answer = await http.request(url, request);
      if (url.includes("access_token")) return answer;
      answer.close();
      return { ...answer, text: () => Promise.resolve(JSON.stringify(valueOf())) };
    },
    close: () => http.close(),
  };
}

it("a page of submissions and comments, whatever it holds, gives postings or a sentence for people", async () => {
  const start = (now: () => number) => RedditUpstream.start({ ...CREDENTIALS, now });
  const opened = await ConnectorWorld.open({ module: REDDIT, start, env: environment });
  const { upstream, world } = opened;
  upstream.post({ at: world.time - 1000 });
  upstream.post({
    at: world.time - 2000,
    extra: { is_gallery: true, media_metadata: { a: { s: { u: "https://a.example/b" } } } },
  });
  upstream.post({ at: world.time - 3000, removedBy: "moderator" });
  let body: unknown;
  upstream.failNext({ kind: "changed", change: (whole) => (body = structuredClone(whole)) });
  await (await opened.connector()).fetchPage(opened.request());
  let answer: unknown;
  const { origin, tokenServer } = upstream;
  const http = createHttpClient({ trustedOrigins: [origin, tokenServer.origin] });
  // One budget of requests a minute is not enough for all pages.
  const connector = await opened.connector(answering(http, () => ((world.time += 1000), answer)));
  await fc.assert(
    fc.asyncProperty(mutations, async (changes) => {
      answer = mutated(body, changes);
      const outcome: unknown = await connector.fetchPage(opened.request()).catch((error: unknown) => error);
      if (outcome instanceof Error) {
        expect(outcome).toBeInstanceOf(PlatformError);
        expect(outcome).toMatchObject({ kind: "temporary", message: expect.stringMatching(/\.$/) as string });
        return;
      }
      const { postings } = outcome as { postings: { postedAt: number }[] };
      for (const posting of postings) expect(posting.postedAt).toSatisfy(Number.isFinite);
      expect(JSON.parse(JSON.stringify(outcome))).toEqual(outcome);
    }),
    { numRuns: repeats(PAGES) },
  );
  http.close();
  await opened.close();
});
