import { InsightDimension, Platform } from "@hourglass/proto/insight/v1/insight";
import { AnalysisType, OperationType } from "@hourglass/proto/operation/v1/operation";
import { AppError, type CallOptions } from "@hourglass/runtime";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBothDoors, type BothDoors } from "../support/both-doors.js";
import { isWholeSentence } from "../support/sentences.js";
import { EMAIL, PASSWORD, type Answer, type SendOptions } from "../support/server.js";
import { EXPORTS, INSIGHTS, OPERATIONS, SIGN_IN, UPLOAD, type Failure } from "./routes.js";

let doors: BothDoors;
let token = "";

beforeAll(async () => {
  doors = await openBothDoors();
  token = await doors.token();
});
afterAll(() => doors.close());

/** A refusal in the words of either interface. */
interface Refusal {
  sentence: string;
  code: string;
  fields: { field: string; message: string }[];
}

type Request = readonly [method: string, route: string, options?: SendOptions];
type Call = (options: CallOptions) => Promise<unknown>;

async function refusedByRest([method, route, options]: Request): Promise<Refusal> {
  return refusalOf(await doors.send(method, route, { authorization: `Bearer ${token}`, ...options }));
}

function refusalOf(answer: Answer): Refusal {
  expect(answer.status, answer.text).toBeGreaterThanOrEqual(400);
  const { error, code, details = [] } = answer.body as Failure;
  return { sentence: error, code, fields: details };
}

async function refusedByGrpc(call: Call): Promise<Refusal> {
  const failure: unknown = await call({ token }).catch((error: unknown) => error);
  if (!(failure instanceof AppError)) throw new Error("the call was not refused");
  const { message: sentence, code, violations } = failure;
  return { sentence, code, fields: [...violations] };
}

function expectSentences({ sentence, fields }: Refusal): void {
  expect(sentence).toSatisfy(isWholeSentence);
  for (const { message } of fields) expect(message).toSatisfy(isWholeSentence);
}

/** Replaces the field names of messages with those of JSON. */
function inJson(text: string): string {
  return text
    .replace(/(contents\[\d+\])\.(?:text|file_id|url|value)/g, "$1")
    .replace(/metadata\.idempotency_key|idempotency_key/g, "Idempotency-Key");
}

const text = (value: string) => ({ value: { case: "text" as const, value } });
const file = (value: bigint) => ({ value: { case: "fileId" as const, value } });
const url = (value: string) => ({ value: { case: "url" as const, value } });
const TEXT = { type: OperationType.TEXT, analyses: [AnalysisType.TOPIC], contents: [text("a")] };
const FILES = { type: OperationType.FILE, analyses: [AnalysisType.CAPTION], contents: [file(1n)] };
const JSON_TEXT = { type: "text", analyses: ["topic"], contents: ["a"] };
const JSON_FILES = { type: "file", analyses: ["caption"], contents: [1] };

const create = (changes: object): Request => ["POST", OPERATIONS, { body: { ...JSON_TEXT, ...changes } }];
const createOnFiles = (changes: object): Request => ["POST", OPERATIONS, { body: { ...JSON_FILES, ...changes } }];
const created =
  (changes: object): Call =>
  (options) =>
    doors.grpc.operation.createOperation({ ...TEXT, ...changes }, options);
const createdOnFiles = (changes: object): Call => created({ ...FILES, ...changes });
const listed =
  (request: object): Call =>
  (options) =>
    doors.grpc.operation.listOperations(request, options);
const signedIn =
  (user: object): Call =>
  () =>
    doors.grpc.auth.signIn({ user });

const LONG = "x".repeat(20_001);
const SAME_ON_BOTH: readonly (readonly [string, string[], Request, Call])[] = [
  ["an unknown type", ["type"], create({ type: "image" }), created({ type: 9 })],
  ["an unknown analysis", ["analyses[1]"], create({ analyses: ["topic", "gist"] }), created({ analyses: [3, 99] })],
  ["no analyses", ["analyses"], create({ analyses: [] }), created({ analyses: [] })],
  ["an analysis twice", ["analyses"], create({ analyses: ["topic", "topic"] }), created({ analyses: [3, 3] })],
  ["analyses of pictures only", ["analyses"], create({ analyses: ["caption"] }), created({ analyses: [11] })],
  ["no contents", ["contents"], create({ contents: [] }), created({ contents: [] })],
  ["an empty text", ["contents[0]"], create({ contents: [""] }), created({ contents: [text("")] })],
  ["a long text", ["contents[0]"], create({ contents: [LONG] }), created({ contents: [text(LONG)] })],
  ["a file among texts", ["contents[1]"], create({ contents: ["a", 5] }), created({ contents: [text("a"), file(5n)] })],
  ["a file id of zero", ["contents[0]"], createOnFiles({ contents: [0] }), createdOnFiles({ contents: [file(0n)] })],
  [
    "no URL",
    ["contents[0]"],
    createOnFiles({ contents: ["ftp://a/b"] }),
    createdOnFiles({ contents: [url("ftp://a/b")] }),
  ],
  ["an unknown file", ["contents[0]"], createOnFiles({ contents: [77] }), createdOnFiles({ contents: [file(77n)] })],
  [
    "a file twice",
    ["contents[1]"],
    createOnFiles({ contents: [7, 7] }),
    createdOnFiles({ contents: [file(7n), file(7n)] }),
  ],
  [
    "file ids and URLs",
    ["contents"],
    createOnFiles({ contents: [7, "https://a.example/b"] }),
    createdOnFiles({ contents: [file(7n), url("https://a.example/b")] }),
  ],
  [
    "wrong groups",
    ["contents_groups[0]", "contents_groups[1]", "contents_groups[2]"],
    create({ contents_groups: ["x", "0,0", "7"] }),
    created({ contentsGroups: ["x", "0,0", "7"] }),
  ],
  ["a limit of zero", ["limit"], ["GET", `${OPERATIONS}?limit=0`], listed({ limit: 0 })],
  ["a wrong cursor", ["cursor"], ["GET", `${OPERATIONS}?cursor=there`], listed({ cursor: "there" })],
  ["an unknown status", ["status"], ["GET", `${OPERATIONS}?status=over`], listed({ status: 99 })],
  [
    "a wait of an hour",
    ["wait"],
    ["GET", `${OPERATIONS}/1?wait=3600`],
    (options) => doors.grpc.operation.getOperation({ id: 1n, wait: 3600 }, options),
  ],
  [
    "an operation that is not there",
    [],
    ["GET", `${OPERATIONS}/999`],
    (options) => doors.grpc.operation.getOperation({ id: 999n }, options),
  ],
  [
    "an empty password",
    ["user.password"],
    ["POST", SIGN_IN, { body: { user: { email: EMAIL, password: "" } } }],
    signedIn({ email: EMAIL, password: "" }),
  ],
  [
    "a wrong password",
    [],
    ["POST", SIGN_IN, { body: { user: { email: EMAIL, password: `${PASSWORD}!` } } }],
    signedIn({ email: EMAIL, password: `${PASSWORD}!` }),
  ],
  ["no user to sign in", ["user"], ["POST", SIGN_IN, { body: {} }], () => doors.grpc.auth.signIn({})],
  [
    "dates of an export in the wrong order",
    ["start_date"],
    ["POST", EXPORTS, { body: { insight_search_ids: [1], start_date: "2026-02-01", end_date: "2026-01-01" } }],
    (options) =>
      doors.grpc.export.createExport(
        { insightSearchIds: [1n], startDate: "2026-02-01", endDate: "2026-01-01" },
        options,
      ),
  ],
  [
    "an insight without keywords",
    ["query.keywords"],
    ["POST", INSIGHTS, { body: { query: { keywords: "", platforms: ["news"], dimensions: ["textual"] } } }],
    (options) =>
      doors.grpc.insight.createInsight(
        { query: { keywords: "", platforms: [Platform.NEWS], dimensions: [InsightDimension.TEXTUAL] } },
        options,
      ),
  ],
];

describe("a wrong request is told the same whole sentences over REST and over gRPC", () => {
  it.each(SAME_ON_BOTH)("%s", async (_what, fields, request, call) => {
    const overRest = await refusedByRest(request);
    const overGrpc = await refusedByGrpc(call);
    expectSentences(overRest);
    expect([...new Set(overRest.fields.map(({ field }) => field))]).toEqual(fields);
    expect({
      ...overGrpc,
      sentence: inJson(overGrpc.sentence),
      fields: overGrpc.fields.map(({ field, message }) => ({ field: inJson(field), message })),
    }).toEqual(overRest);
  });

  it("a key that was used for another request", async () => {
    const idempotencyKey = "the same key";
    await doors.grpc.operation.createOperation({ ...TEXT, idempotencyKey }, { token });
    const body = { ...JSON_TEXT, contents: ["b"] };
    const overRest = await refusedByRest([
      "POST",
      OPERATIONS,
      { body, headers: { "idempotency-key": idempotencyKey } },
    ]);
    const overGrpc = await refusedByGrpc(created({ contents: [text("b")], idempotencyKey }));
    expectSentences(overRest);
    expect(overRest.fields).toMatchObject([{ field: "Idempotency-Key" }]);
    expect(overGrpc.fields).toEqual([{ ...overRest.fields[0], field: "idempotency_key" }]);
    expect(inJson(overGrpc.sentence)).toBe(overRest.sentence);
  });

  it.each([
    ["no file of a kind that can be analysed", Buffer.from("words")],
    ["an empty file", Buffer.alloc(0)],
  ])("%s", async (_what, bytes) => {
    const form = new FormData();
    form.set("file", new Blob([bytes]), "file.png");
    const encoded = new Response(form);
    const overRest = await refusedByRest([
      "POST",
      UPLOAD,
      {
        body: new Uint8Array(await encoded.clone().arrayBuffer()),
        headers: { "content-type": encoded.headers.get("content-type") ?? "" },
      },
    ]);
    const messages = async function* () {
      yield { part: { case: "metadata" as const, value: { name: "file.png" } } };
      yield { part: { case: "chunk" as const, value: bytes } };
    };
    expectSentences(overRest);
    expect(overRest.fields).toMatchObject([{ field: "file" }]);
    expect(await refusedByGrpc((options) => doors.grpc.media.uploadFile(messages(), options))).toEqual(overRest);
  });
});

const bare = (body: unknown, headers: Record<string, string> = {}): Request => ["POST", OPERATIONS, { body, headers }];

describe("a request that only REST can get wrong is told in a whole sentence", () => {
  it.each<[string, Request, RegExp]>([
    ["JSON with a mistake", bare('{\n  "type": text\n}'), /line 2, column 11\.$/],
    ["no body", bare(""), /send a JSON object\.$/],
    ["a list as body", bare("[]"), /send a JSON object\.$/],
    ["another type of body", bare("type=text", { "content-type": "text/plain" }), /Content-Type: application\/json\.$/],
    ["another method", ["PUT", OPERATIONS], /^PUT is not possible here\. Use POST, GET, HEAD, OPTIONS\.$/],
    ["an unknown route", ["GET", "/api/v3"], /\/openapi\.json\.$/],
    ["an id that is none", ["GET", `${OPERATIONS}/first`], /positive whole numbers\.$/],
    ["a missing field", bare({ ...JSON_TEXT, type: null }), /^Correct type: Give this field: it is required\.$/],
    [
      "a field of nearly the name",
      bare({ type: "text", analysis: ["topic"], contents: ["a"] }),
      /You gave analysis instead\.$/,
    ],
    [
      "a name of nearly the spelling",
      bare({ ...JSON_TEXT, analyses: ["sentiment_simple"] }),
      /Did you mean sentiment-simple\?/,
    ],
    [
      "a file id in quotation marks",
      bare({ ...JSON_FILES, contents: ["1"] }),
      /without quotation marks: file ids are numbers\.$/,
    ],
    [
      "a content that is nothing",
      bare({ ...JSON_FILES, contents: [true] }),
      /^Correct contents\[0\]: Give a file id, .* or a URL\.$/,
    ],
    ["a text that is none", bare({ ...JSON_TEXT, contents: [{}] }), /^Correct contents\[0\]: Give a text: /],
    ["a number as an array", bare({ ...JSON_TEXT, contents: 5 }), /^Correct contents: Give an array\.$/],
    ["no boolean", bare({ ...JSON_TEXT, explain: "yes" }), /^Correct explain: Give true or false\.$/],
    ["a limit that is no number", ["GET", `${OPERATIONS}?limit=ten`], /^Correct limit: Give a whole number\.$/],
    ["a bad key", bare(JSON_TEXT, { "idempotency-key": "x".repeat(256) }), /^Correct Idempotency-Key: Give a key /],
    [
      "postings with a mistake",
      ["POST", `${INSIGHTS}/1/postings`, { body: "{", headers: { "content-type": "application/x-ndjson" } }],
      /line 1, column 2\.$/,
    ],
    ["no token", ["GET", OPERATIONS, { authorization: "" }], /Authorization: Bearer <access token>\.$/],
  ])("%s", async (_what, request, sentence) => {
    const refusal = await refusedByRest(request);
    expectSentences(refusal);
    expect(refusal.sentence).toMatch(sentence);
  });

  it("which names every wrong field, and how many there are besides the first", async () => {
    const refusal = await refusedByRest(bare({ type: "x", analyses: "topic", contents: [""] }));
    expect(refusal.sentence).toBe(
      "Correct type: Give one of these: text, file. Another 2 fields are wrong too: see the details.",
    );
    expect(refusal.fields.map(({ field }) => field)).toEqual(["type", "analyses", "contents[0]"]);
  });
});

describe("a token that is not accepted", () => {
  it("has expired, or is none of ours, and either door says which", async () => {
    const forged = `${token.slice(0, -10)}${"A".repeat(10)}`;
    const list = (bearer: string): Request => ["GET", OPERATIONS, { authorization: `Bearer ${bearer}` }];
    const listOver = (bearer: string) =>
      refusedByGrpc(() => doors.grpc.operation.listOperations({}, { token: bearer }));
    doors.pass(24 * 3_600_000 + 6000);
    const expired = await refusedByRest(list(token));
    const unknown = await refusedByRest(list(forged));
    expect([expired.code, unknown.code]).toEqual(["token_expired", "unauthenticated"]);
    expectSentences(expired);
    expectSentences(unknown);
    expect(await listOver(token)).toEqual(expired);
    expect(await listOver(forged)).toEqual(unknown);
  });
});
