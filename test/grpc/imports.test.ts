import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { InsightDimension } from "@hourglass/proto/insight/v1/insight";
import { type ImportPostingsRequestSchema, InsightService } from "@hourglass/proto/insight/v1/insight_service";
import { Platform } from "@hourglass/proto/insight/v1/platform";
import { type Posting, PostingSchema } from "@hourglass/proto/insight/v1/posting";
import { createGrpcClient, type AppError, type CallOptions, type Client } from "@hourglass/runtime";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startServer, type TestServer } from "../support/server.js";

const QUERY = { keywords: "kestrel", platforms: [Platform.REDDIT], dimensions: [InsightDimension.TEXTUAL] };
const SLICE = 400;

describe("insights over native gRPC", () => {
  let server: TestServer;
  let insights: Client<typeof InsightService>;
  let options: CallOptions;
  let close: () => void;

  beforeAll(async () => {
    server = await startServer();
    options = { token: (await server.signIn()).replace(/^Bearer /, "") };
    ({ client: insights, close } = await createGrpcClient(InsightService, new URL(server.grpcUrl).host, {
      channels: 1,
    }));
  });
  afterAll(async () => {
    close();
    await server.close();
  });

  const newInsight = async () => (await insights.createInsight({ query: QUERY }, options)).id;
  const countOf = async (id: bigint) => (await insights.getInsight({ id }, options)).insight?.postingCount;

  const posting = (number: number, text = "A kestrel hovers."): Posting =>
    create(PostingSchema, {
      platform: Platform.REDDIT,
      socialId: `s${number}`,
      postedAt: timestampFromMs(1_000 * number),
      textOfPost: text,
    });

  type Message = MessageInitShape<typeof ImportPostingsRequestSchema>;

  async function* messages(id: bigint, postings: readonly Posting[], end = { last: true }): AsyncGenerator<Message> {
    yield await Promise.resolve({
      part: { case: "header" as const, value: { id, match: true, idempotencyKey: `k${id}` } },
    });
    for (let start = 0; start < postings.length; start += SLICE) {
      const value = { postings: postings.slice(start, start + SLICE) };
      yield { part: { case: "slice", value }, last: end.last && start + SLICE >= postings.length };
    }
  }

  it("import a stream of slices once, whatever its repetitions", async () => {
    const id = await newInsight();
    const postings = [...Array.from({ length: 999 }, (_, number) => posting(number)), posting(999, "A falcon.")];
    const first = await insights.importPostings(messages(id, postings), options);
    expect(first).toMatchObject({ accepted: 999, duplicates: 0, unmatched: 1, erased: 0, replayed: false });
    const again = await insights.importPostings(messages(id, postings), options);
    expect(again).toEqual({ ...first, replayed: true });
    expect(await countOf(id)).toBe(999n);
  });

  it("list postings of equal time by their social_id", async () => {
    const id = await newInsight();
    const tied = ["b", "10", "a", "9"].map((socialId) => create(PostingSchema, { ...posting(1), socialId }));
    await insights.importPostings(messages(id, tied), options);
    const idsOf = async (ascending: boolean) => {
      const { postings } = await insights.listPostings({ id, ascending }, options);
      return postings.map(({ socialId }) => socialId);
    };
    await expect.poll(() => idsOf(true)).toEqual(["10", "9", "a", "b"]);
    expect(await idsOf(false)).toEqual(["b", "a", "9", "10"]);
  });

  it("store nothing of a stream that ends without its last message", async () => {
    const id = await newInsight();
    const unended = insights.importPostings(messages(id, [posting(1)], { last: false }), options);
    await expect(unended).rejects.toMatchObject({ kind: "cancelled" });
    expect(await countOf(id)).toBe(0n);
  });

  const fieldsOf = (call: Promise<unknown>) =>
    call.then(
      () => [],
      (error: unknown) => (error as AppError).violations.map(({ field }) => field),
    );

  it("refuse filters and spans that no posting can fit, as REST does", async () => {
    const id = await newInsight();
    const [start, end] = [timestampFromMs(2_000), timestampFromMs(1_000)];
    const labels = { sentiment: "happy", intention: "x" };
    const refused = await fieldsOf(insights.listPostings({ id, filter: labels }, options));
    expect(refused).toEqual(["filter.sentiment", "filter.intention"]);
    const codes = {
      language: "english",
      languages: ["en", "tl", "None", "en-GB"],
      countries: ["pt", "none", "uk", "GBR"],
    };
    const ofCodes = ["filter.language", "filter.languages[3]", "filter.countries[2]", "filter.countries[3]"];
    expect(await fieldsOf(insights.listPostings({ id, filter: codes }, options))).toEqual(ofCodes);
    expect(await fieldsOf(insights.summarize({ id, filter: codes }, options))).toEqual(ofCodes);
    expect(await fieldsOf(insights.lookUpInsights({ ids: [id], filter: codes }, options))).toEqual(ofCodes);
    expect(await fieldsOf(insights.listPostings({ id, filter: { start, end } }, options))).toEqual(["filter.start"]);
    expect(await fieldsOf(insights.getCoverage({ id, start, end }, options))).toEqual(["start"]);
    const stream = insights.streamPostings({ insights: [{ id, watermark: 1n }], start, end: start }, options);
    expect(await fieldsOf(stream[Symbol.asyncIterator]().next())).toEqual(["start"]);
  });
});
