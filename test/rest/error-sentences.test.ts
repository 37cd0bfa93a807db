import { InsightDimension } from "@hourglass/proto/insight/v1/insight";
import { Platform } from "@hourglass/proto/insight/v1/platform";
import { AnalysisType, OperationType } from "@hourglass/proto/operation/v1/operation";
import { AppError, type CallOptions } from "@hourglass/runtime";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBothDoors, type BothDoors } from "../support/both-doors.js";
import { EMAIL, PASSWORD } from "../support/server.js";
import { expectSentences, refusalByRest, type Refusal, type Request } from "./refusal.js";
import { EXPORTS, INSIGHTS, OPERATIONS, SIGN_IN, UPLOAD } from "./routes.js";

let doors: BothDoors;
let token = "";

beforeAll(async () => {
  doors = await openBothDoors();
  token = await doors.token();
});
afterAll(() => doors.close());

type Call = (options: CallOptions) => Promise<unknown>;

const refusedByRest = (request: Request) => refusalByRest(doors, token, request);

async function refusedByGrpc(call: Call): Promise<Refusal> {
  const failure: unknown = await call({ token }).catch((error: unknown) => error);
  if (!(failure instanceof AppError)) throw new Error("the call was not refused");
  const { message: sentence, code, violations } = failure;
  return { sentence, code, fields: [...violations] };
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

const INSIGHT = { keywords: "a", platforms: [Platform.NEWS], dimensions: [InsightDimension.TEXTUAL] };
const JSON_INSIGHT = { keywords: "a", platforms: ["news"], dimensions: ["textual"] };

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
  [
    "a check of a query with control characters",
    ["query.keywords"],
    ["POST", `${INSIGHTS}/check`, { body: { query: { ...JSON_INSIGHT, keywords: "a\u0007" } } }],
    (options) => doors.grpc.insight.checkInsight({ query: { ...INSIGHT, keywords: "a\u0007" } }, options),
  ],
  [
    "a feed that is no URL, and names of no subreddit",
    ["query.follow.feeds[0]", "query.follow.subreddits[0]"],
    [
      "POST",
      INSIGHTS,
      { body: { query: { ...JSON_INSIGHT, follow: { feeds: ["ftp://a.example"], subreddits: ["r/a"] } } } },
    ],
    (options) =>
      doors.grpc.insight.createInsight(
        { query: { ...INSIGHT, follow: { feeds: ["ftp://a.example"], subreddits: ["r/a"] } } },
        options,
      ),
  ],
  [
    "postings to erase by neither id",
    ["social_id"],
    ["DELETE", `${INSIGHTS}/postings?platform=news`],
    (options) => doors.grpc.insight.erasePostings({ platform: Platform.NEWS }, options),
  ],
  [
    "postings of an unknown platform to erase",
    ["platform"],
    ["DELETE", `${INSIGHTS}/postings?platform=myspace&author_id=1`],
    (options) => doors.grpc.insight.erasePostings({ platform: Platform.UNSPECIFIED, authorId: "1" }, options),
  ],
];

describe("a wrong request gets the same whole sentences over REST and over gRPC", () => {
  it.each(SAME_ON_BOTH)("%s", async (_what, fields, request, call) => {
    const overRest = await refusedByRest(request);
    const overGrpc = await refusedByGrpc(call);
    expectSentences(overRest);
    expect([...new Set(overRest.fields.map(({ field }) => field))]).toEqual(fields);
    expect({
      ...overGrpc,
      sentence: inJson(overGrpc.sentence),
      fields: overGrpc.fields.map(({ field, message }) => ({ field: inJson(field), message })),
    }).toEqual({ ...overRest, fields: overRest.fields.map(({ field, message }) => ({ field, message })) });
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
    ["no file of a kind that can be analyzed", Buffer.from("words")],
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
