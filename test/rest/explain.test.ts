import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startServer, type TestServer } from "../support/server.js";
import { type ApiDocument, Documented, type Media } from "./documented.js";
import { fieldsOf, OPERATIONS, User } from "./routes.js";

const CLASSIFICATIONS = ["sentiment-simple", "sentiment-real", "spam-detection", "intention"];
const SIX = [...CLASSIFICATIONS, "topic", "personality-mb"];
/** Contains characters of one, two and four bytes, so that code points, UTF-16 units and bytes differ. */
const TEXT = "\u{1f600}\u{1f600} I \u00e9njoyed Lisbon. I love Lisbon, what a wonderful museum in Lisbon!";

interface Span {
  start: number;
  end: number;
  text?: string;
  weight?: number;
}

interface Classified {
  value: string;
  prob: number;
  explanation?: { probabilities: Record<string, number>; spans: Required<Span>[] };
}

interface Analysis {
  type: string;
  data: unknown;
  model: unknown;
  language: unknown;
  supported: unknown;
}

/** The analyses that are good enough in German, as docs/models-notes.md says. */
const MADE_FOR_GERMAN: ReadonlySet<unknown> = new Set(["sentiment-simple", "intention", "topic", "spam-detection"]);

describe("an operation with explain", () => {
  let server: TestServer;
  let user: User;
  let document: ApiDocument;

  beforeAll(async () => {
    server = await startServer();
    user = await User.signIn(server);
    document = (await server.send("GET", "/openapi.json")).body as ApiDocument;
  });
  afterAll(() => server.close());

  const request = (more: object = {}) => ({ type: "text", analyses: SIX, contents: [TEXT], ...more });
  const contentsOf = (operation: Record<string, unknown>) =>
    (operation["data"] as { contents: { content: string; analyses: Analysis[] }[] }).contents;
  const analysesOf = async (more: object) => contentsOf(await user.analyze(request(more)))[0]?.analyses ?? [];
  const textAt = ({ start, end }: Span) => Array.from(TEXT).slice(start, end).join("");

  it("tells of every classification the probabilities of all labels and the spans that carried it", async () => {
    const analyses = await analysesOf({ explain: true });
    for (const { type, data } of analyses.filter((analysis) => CLASSIFICATIONS.includes(analysis.type))) {
      const { value, prob, explanation } = data as Classified;
      const { probabilities = {}, spans = [] } = explanation ?? {};
      expect(probabilities[value], type).toBe(prob);
      expect(Math.max(...Object.values(probabilities)), type).toBe(prob);
      const sum = Object.values(probabilities).reduce((total, one) => total + one, 0);
      expect(sum, type).toBeCloseTo(1, 2);
      for (const span of spans) expect(span.text, type).toBe(textAt(span).slice(0, 64));
      const weights = spans.map(({ weight }) => Math.abs(weight));
      expect(weights, type).toEqual([...weights].sort((a, b) => b - a));
    }
    const [sentiment] = analyses.map(({ data }) => data as Classified);
    expect(sentiment?.value).toBe("positive");
    expect(sentiment?.explanation?.spans.map(({ text }) => text).join(" ")).toMatch(/love|wonderful/);
  });

  it("tells of every topic where it stands", async () => {
    const topics = (await analysesOf({ explain: true })).find(({ type }) => type === "topic")?.data;
    const lisbon = (topics as { value: string; offsets: Span[] }[]).find(({ value }) => value === "Lisbon");
    expect(lisbon?.offsets.map(textAt)).toEqual(["Lisbon", "Lisbon", "Lisbon"]);
  });

  it.each([
    ["code points", "code_points", textAt],
    ["UTF-16 units", "utf16", ({ start, end }: Span) => TEXT.slice(start, end)],
  ])("counts offsets in %s when asked to", async (_what, offsets, sliced) => {
    const analyses = await analysesOf({ explain: true, offsets });
    const spans = analyses.flatMap(({ data }) => (data as Partial<Classified>).explanation?.spans ?? []);
    expect(spans.length).toBeGreaterThan(0);
    for (const span of spans) expect(Array.from(sliced(span)).slice(0, 64).join("")).toBe(span.text);
    const topics = analyses.find(({ type }) => type === "topic")?.data as { value: string; offsets: Span[] }[];
    const lisbon = topics.find(({ value }) => value === "Lisbon");
    expect(lisbon?.offsets.map(sliced)).toEqual(["Lisbon", "Lisbon", "Lisbon"]);
  });

  it("names the unit in the query if it is not the default", async () => {
    const query = async (more: object) => (await user.analyze(request({ explain: true, ...more })))["query"];
    expect(await query({ offsets: "utf16" })).toMatchObject({ explain: true, offsets: "utf16" });
    expect(await query({ offsets: "code_points" })).not.toHaveProperty("offsets");
  });

  it("repeats it in the query, also of lists, which hold no results", async () => {
    expect(await user.analyze(request({ explain: true }))).toMatchObject({ query: { explain: true } });
    type Page = { operations: Record<string, object>[] };
    const { operations } = (await user.get(`${OPERATIONS}?limit=1`)).body as Page;
    expect(operations[0]?.["query"]).toEqual({ type: "text", analyses: SIX, contents_groups: null, explain: true });
    expect(operations[0]).not.toHaveProperty("data");
  });

  it.each([{}, { explain: false }, { explain: null }])("explains nothing when asked with %j", async (more) => {
    const operation = await user.analyze(request(more));
    expect(operation["query"]).toEqual({ ...request(), contents_groups: null });
    expect(JSON.stringify(contentsOf(operation))).not.toMatch(/"(explanation|probabilities|spans|offsets)"/);
  });

  it("gives the same labels as without", async () => {
    const labels = async (more: object) =>
      (await analysesOf(more)).map(({ type, data }) => {
        const { value, prob } = data as Classified;
        return type === "topic" ? (data as Classified[]).map((topic) => topic.value) : [type, value, prob];
      });
    expect(await labels({ explain: true })).toEqual(await labels({}));
  });

  it.each(["true", 1, 0, "", [], {}, [true]])("is refused with 400 when it is %j", async (explain) => {
    const answer = await user.post(OPERATIONS, request({ explain }));
    expect(answer.status).toBe(400);
    expect(fieldsOf(answer)).toEqual(["explain"]);
  });

  it("makes a different request under the same idempotency key", async () => {
    const key = { "idempotency-key": "why" };
    const first = await user.post(OPERATIONS, request({ explain: true }), key);
    expect((await user.post(OPERATIONS, request({ explain: true }), key)).text).toBe(first.text);
    expect((await user.post(OPERATIONS, request(), key)).status).toBe(400);
    expect((await user.post(OPERATIONS, request({ explain: false }), { "idempotency-key": "not" })).status).toBe(201);
    expect((await user.post(OPERATIONS, request({ explain: null }), { "idempotency-key": "not" })).status).toBe(201);
  });

  it("says of every result which model made it and whether it is made for the language", async () => {
    const german = "Ich habe mich sehr \u00fcber das neue Museum gefreut, es war ein wunderbarer Tag mit der Familie.";
    const operation = await user.analyze(request({ contents: [german], contents_groups: ["0"] }));
    const analyses = contentsOf(operation)[0]?.analyses ?? [];
    expect(analyses).toHaveLength(6);
    for (const { type, model, language, supported } of analyses) {
      expect([type, language, supported]).toEqual([type, "de", MADE_FOR_GERMAN.has(type)]);
      expect(model).toEqual({ id: expect.stringContaining(type) as string, version: expect.any(String) as string });
    }
  });

  describe("is answered as the OpenAPI document says", () => {
    const media = (path: string, method: string, status?: number): Media | undefined => {
      const entry = document.paths[path]?.[method];
      const body = status === undefined ? entry?.requestBody : entry?.responses[status];
      return body?.content?.["application/json"];
    };
    const record = () => media(`${OPERATIONS}/{id}`, "get", 200) ?? { schema: {} };
    const differences = (value: unknown) => new Documented(document).differences(value, record().schema);

    it("whatever was asked for", async () => {
      for (const explain of [true, false]) {
        const operation = await user.analyze(request({ explain, contents: [TEXT, "?", "Ich bin froh dar\u00fcber."] }));
        expect(differences(operation)).toEqual([]);
      }
    });

    it("so that its examples are requests that are accepted and answers that are given", async () => {
      // Those on files name missing files; their responses can still be checked against the document.
      const requests = Object.values(media(OPERATIONS, "post")?.examples ?? {}).filter(({ value }) => isOnText(value));
      expect(requests.length).toBeGreaterThan(1);
      for (const { value } of requests) expect(differences(await user.analyze(value))).toEqual([]);
      const answers = Object.values(record().examples ?? {}).map(({ value }) => value as Record<string, unknown>);
      expect(answers.flatMap((answer) => differences(answer))).toEqual([]);
      const onTexts = answers.filter(({ query }) => isOnText(query));
      expect(onTexts).toHaveLength(2);
      for (const answer of onTexts) expect(outline(await user.analyze(answer["query"]))).toEqual(outline(answer));
    });

    it("so that the spans of its examples stand where they say, beyond an emoji", () => {
      const answers = Object.values(record().examples ?? {}).map(({ value }) => value as Record<string, unknown>);
      const units = answers
        .filter(({ query }) => isOnText(query))
        .map((answer) => {
          const [{ content, analyses } = { content: "", analyses: [] }] = contentsOf(answer);
          expect(content).toMatch(/^\p{Emoji_Presentation} /u);
          const { offsets } = answer["query"] as { offsets?: string };
          const characters = offsets === "utf16" ? content.split("") : Array.from(content);
          const { spans = [] } = (analyses[0]?.data as Classified).explanation ?? {};
          for (const { start, end, text } of spans) expect(characters.slice(start, end).join("")).toBe(text);
          return offsets;
        });
      expect(units).toEqual([undefined, "utf16"]);
    });
  });
});

function isOnText(request: unknown): boolean {
  return (request as { type: string }).type === "text";
}

/** A response without the parts that change between models: numbers, spans and the names of models. */
function outline(operation: Record<string, unknown>): unknown {
  const varying = new Set(["spans", "model", "created_at", "finished_at"]);
  const leave = (key: string, value: unknown) => (varying.has(key) ? typeof value : value);
  return JSON.parse(
    JSON.stringify(operation, (key, value: unknown) =>
      typeof value === "number" && key !== "start" && key !== "end" ? 0 : leave(key, value),
    ),
  );
}
