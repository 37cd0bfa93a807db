import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBothDoors, type BothDoors } from "../support/both-doors.js";
import type { SendOptions } from "../support/server.js";
import { expectSentences, refusalByRest, type Request } from "./refusal.js";
import { INSIGHTS, OPERATIONS } from "./routes.js";

let doors: BothDoors;
let token = "";

beforeAll(async () => {
  doors = await openBothDoors();
  token = await doors.token();
});
afterAll(() => doors.close());

const refusedByRest = (request: Request) => refusalByRest(doors, token, request);
const JSON_TEXT = { type: "text", analyses: ["topic"], contents: ["a"] };
const JSON_FILES = { type: "file", analyses: ["caption"], contents: [1] };
const INSIGHT_QUERY = { keywords: "a", platforms: ["news"], dimensions: ["textual"] };
const NDJSON: SendOptions = { body: "", headers: { "content-type": "application/x-ndjson" } };
const bare = (body: unknown, headers: Record<string, string> = {}): Request => ["POST", OPERATIONS, { body, headers }];

describe("a request that only REST can get wrong gets a whole sentence", () => {
  it.each<[string, Request, RegExp]>([
    ["JSON with a mistake", bare('{\n  "type": text\n}'), /line 2, column 11\.$/],
    ["no body", bare(""), /send a JSON object\.$/],
    ["a list as body", bare("[]"), /send a JSON object\.$/],
    ["another type of body", bare("type=text", { "content-type": "text/plain" }), /Content-Type: application\/json\.$/],
    ["another method", ["PUT", OPERATIONS], /^PUT is not possible here\. Use POST, GET, HEAD, OPTIONS\.$/],
    ["an unknown route", ["GET", "/api/v3"], /\/openapi\.json\.$/],
    ["an id that is none", ["GET", `${OPERATIONS}/first`], /positive whole numbers\.$/],
    ["a missing field", bare({ ...JSON_TEXT, type: null }), /^type: give this field: it is required\.$/],
    [
      "a field of nearly the name",
      bare({ type: "text", analysis: ["topic"], contents: ["a"] }),
      /You gave analysis instead\.$/,
    ],
    [
      "a name of nearly the spelling",
      bare({ ...JSON_TEXT, analyses: ["sentiment_simple"] }),
      /did you mean sentiment-simple\?/,
    ],
    [
      "a file id in quotation marks",
      bare({ ...JSON_FILES, contents: ["1"] }),
      /without quotation marks: file ids are numbers\.$/,
    ],
    [
      "a content that is nothing",
      bare({ ...JSON_FILES, contents: [true] }),
      /^contents\[0\]: give a file id, .* or a URL\.$/,
    ],
    ["a text that is none", bare({ ...JSON_TEXT, contents: [{}] }), /^contents\[0\]: give a text: /],
    ["a number as an array", bare({ ...JSON_TEXT, contents: 5 }), /^contents: give an array\.$/],
    ["no boolean", bare({ ...JSON_TEXT, explain: "yes" }), /^explain: give true or false\.$/],
    ["no unit", bare({ ...JSON_TEXT, offsets: "utf8" }), /^offsets: .* code_points, utf16\.$/],
    ["a limit that is no number", ["GET", `${OPERATIONS}?limit=ten`], /^limit: give a whole number from 1 to \d+\.$/],
    ["a negative wait", ["GET", `${OPERATIONS}/1?wait=-1`], /^wait: give a whole number from 0 to 60\.$/],
    ["a wait of minutes", ["GET", `${OPERATIONS}/1?wait=999`], /^wait: give a whole number from 0 to 60\.$/],
    ["an unknown parameter", ["GET", `${INSIGHTS}/1?full=1`], /^full: this route takes no parameters\.$/],
    [
      "a misspelled parameter",
      ["GET", `${INSIGHTS}/1/postings?plattform=news`],
      /^plattform: did you mean platform\? There is no such parameter\.$/,
    ],
    [
      "a misspelled field",
      ["POST", INSIGHTS, { body: { query: { ...INSIGHT_QUERY, sneak_peak: true } } }],
      /^query\.sneak_peak: did you mean sneak_peek\? There is no such field\.$/,
    ],
    ["a bad key", bare(JSON_TEXT, { "idempotency-key": "x".repeat(256) }), /^Idempotency-Key: give a key /],
    [
      "postings with a mistake",
      ["POST", `${INSIGHTS}/1/postings`, { body: "{", headers: { "content-type": "application/x-ndjson" } }],
      /line 1, column 2\.$/,
    ],
    [
      "postings of a wrong number",
      [
        "POST",
        `${INSIGHTS}/1/postings`,
        {
          body: '{"platform":"news","post_date":"1/31/2026","post_time":"00:00:00","like_count":"many"}',
          headers: { "content-type": "application/x-ndjson" },
        },
      ],
      /^postings\[0\]\.like_count: give a whole number, as a string or a number\.$/,
    ],
    [
      "CSV by an unknown preset",
      ["POST", `${INSIGHTS}/1/postings?preset=4cats`, { body: "a\n", headers: { "content-type": "text/csv" } }],
      /^preset: did you mean 4cat\? /,
    ],
    [
      "CSV that ends in a cell",
      ["POST", `${INSIGHTS}/1/postings`, { body: '"platform\n', headers: { "content-type": "text/csv" } }],
      /Close the quotation mark/,
    ],
    ["a switch that is none", ["POST", `${INSIGHTS}/1/postings?match=1`, NDJSON], /^match: give true or false\.$/],
    ["a day that is none", ["GET", `${INSIGHTS}/1/coverage?start_date=2026-02-30`], /such as 2026-01-31\.$/],
    ["an unknown label", ["GET", `${INSIGHTS}/1/postings?sentiment=joyful`], /^sentiment: (did|give) /],
    ["no token", ["GET", OPERATIONS, { authorization: "" }], /Authorization: Bearer <access token>\.$/],
  ])("%s", async (_what, request, sentence) => {
    const refusal = await refusedByRest(request);
    expectSentences(refusal);
    expect(refusal.sentence).toMatch(sentence);
  });

  it("which names every wrong field, and how many there are besides the first", async () => {
    const refusal = await refusedByRest(bare({ type: "x", analyses: "topic", contents: [""] }));
    expect(refusal.sentence).toBe(
      "type: give one of these: text, file. Another 2 fields are wrong too: see the details.",
    );
    expect(refusal.fields.map(({ field }) => field)).toEqual(["type", "analyses", "contents[0]"]);
  });
});
