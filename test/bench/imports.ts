import { create } from "@bufbuild/protobuf";
import { PostingImports } from "@hourglass/insight/postings";
import { readNdjson } from "@hourglass/posting";
import { ImportPostingsRequestSchema } from "@hourglass/proto/insight/v1/insight_service";
import type { Posting } from "@hourglass/proto/insight/v1/posting";
import { LoopPace } from "@hourglass/runtime";
import { signIn, startHourglass } from "./child.js";
import { median, type Measurement } from "./measure.js";
import { awaitDone, createOperation, readOperation } from "./operations.js";
import { benchDraft, openPostingsWorld } from "./postings.js";

const LINES = 10_000;
const SLICE = 100;
const ROUNDS = 5;
const COMPANY = 1;
const INSIGHTS = "/api/v2/products/insight";

/** The largest import: reading its lines, checking and storing them, compared with JSON.parse of the same lines. */
export async function measureImports(): Promise<Measurement[]> {
  return [await measureLargest(), await measureBesideHostile()];
}

async function measureLargest(): Promise<Measurement> {
  const lines = Array.from({ length: LINES }, (_, number) => lineOf(number));
  const rounds: { ratio: number; ms: number; parseMs: number; stopMs: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const begin = performance.now();
    for (const line of lines) JSON.parse(line);
    const parseMs = performance.now() - begin;
    const { ms, stopMs } = await importAll(lines);
    rounds.push({ ratio: ms / parseMs, ms, parseMs, stopMs });
  }
  const [ms, parseMs, stopMs] = (["ms", "parseMs", "stopMs"] as const).map((key) =>
    median(rounds.map((round) => round[key])),
  );
  return {
    name: `import of ${LINES} lines`,
    value: `${ms?.toFixed(0)} ms, longest stop of the event loop ${stopMs?.toFixed(0)} ms`,
    baseline: `JSON.parse ${parseMs?.toFixed(1)} ms`,
    ratio: median(rounds.map(({ ratio }) => ratio)),
    target: "≤ 50 ms, ≤ 10.00",
  };
}

const BODY_BYTES = 19_900_000;
const HEADER = "platform,post_date,post_time\n";
const HOSTILE: readonly (readonly [type: string, begin: string, repeated: string])[] = [
  ["text/csv", "", "\n"],
  ["text/csv", HEADER, ","],
  ["text/csv", HEADER, `${",".repeat(1_000_000)}\n`],
  ["text/csv", HEADER, '"'],
  ["text/csv", "", "a,"],
  ["application/x-ndjson", "", "\n"],
  ["application/x-ndjson", "", `[${"{},".repeat(340_000)}\n`],
  ["application/x-ndjson", "", `${"[".repeat(1_000_000)}\n`],
];

/** Reads of a small record while a user imports bodies of many separators, empty lines and brackets. */
async function measureBesideHostile(): Promise<Measurement> {
  const hourglass = await startHourglass();
  try {
    const { url } = hourglass;
    const api = { url, authorization: await signIn(url) };
    const headers = { authorization: api.authorization };
    const id = await createOperation(api, ["I love it"], ["sentiment-simple"]);
    await awaitDone(api, id);
    const query = { keywords: "kestrel", platforms: ["reddit"], dimensions: ["textual"] };
    const created = await fetch(`${url}${INSIGHTS}`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify({ query }),
    });
    const postings = `${url}${created.headers.get("location")}/postings`;
    // Made before the measurement, since this process measures as well.
    const bodies = HOSTILE.map(([type, first, repeated]) => {
      const body = Buffer.alloc(BODY_BYTES, repeated);
      body.write(first);
      return { type, body };
    });
    const times: number[] = [];
    let isOver = false;
    const reading = (async () => {
      while (!isOver) {
        const begin = performance.now();
        await readOperation(api, id);
        times.push(performance.now() - begin);
      }
    })();
    const begin = performance.now();
    for (const { type, body } of bodies) {
      const answer = await fetch(postings, { method: "POST", headers: { ...headers, "content-type": type }, body });
      if (answer.status >= 500) throw new Error(`an import was answered ${answer.status}`);
      await answer.arrayBuffer();
    }
    const ms = performance.now() - begin;
    isOver = true;
    await reading;
    times.sort((one, other) => one - other);
    const p99 = times[Math.ceil(0.99 * times.length) - 1] ?? Number.NaN;
    return {
      name: `p99 of others, beside ${HOSTILE.length} imports of 20 MB of separators, empty lines and brackets`,
      value: `${p99.toFixed(0)} ms, longest ${times.at(-1)?.toFixed(0)} ms; the imports took ${(ms / 1000).toFixed(1)} s`,
      baseline: `median ${median(times).toFixed(1)} ms`,
      ratio: p99 / median(times),
      target: "≤ 50 ms",
    };
  } finally {
    await hourglass.close();
  }
}

function lineOf(number: number): string {
  const { socialId, url, text, author } = benchDraft(number);
  const fixed = { platform: "twitter", post_date: "1/31/2026", post_time: "10:20:30", text_post_lang: "en" };
  const counts = { like_count: "1", share_count: "0", comment_count: "3" };
  const names = { author_id: author?.id, author_username: author?.username, author_name: author?.name };
  return JSON.stringify({ ...fixed, social_id: socialId, social_url: url, text_of_post: text, ...names, ...counts });
}

async function importAll(lines: readonly string[]): Promise<{ ms: number; stopMs: number }> {
  const world = await openPostingsWorld();
  const { store, collections, storePostings, previewPage } = world;
  const imports = new PostingImports({
    store,
    collections,
    storePostings,
    previewPage,
    socialIdIn: () => undefined,
    now: Date.now,
  });
  const stops = watchStops();
  const begin = performance.now();
  const { accepted } = await imports.import(messages(await read(Buffer.from(lines.join("\n")))), COMPANY);
  const ms = performance.now() - begin;
  const stopMs = stops.end();
  await world.close();
  if (accepted !== LINES) throw new Error(`${accepted} of ${LINES} postings were stored`);
  return { ms, stopMs };
}

async function read(body: Uint8Array): Promise<Posting[]> {
  const pace = new LoopPace();
  const postings: Posting[] = [];
  async function* chunks() {
    yield await Promise.resolve(body);
  }
  for await (const row of readNdjson(chunks())) {
    await pace.step();
    if ("posting" in row) postings.push(row.posting);
  }
  return postings;
}

async function* messages(postings: readonly Posting[]) {
  const header = { id: 1n };
  yield await Promise.resolve(create(ImportPostingsRequestSchema, { part: { case: "header", value: header } }));
  for (let start = 0; start < postings.length; start += SLICE) {
    const value = { postings: postings.slice(start, start + SLICE) };
    const last = start + SLICE >= postings.length;
    yield create(ImportPostingsRequestSchema, { part: { case: "slice", value }, last });
  }
}

/** Measures the longest turn of the event loop until its end, in milliseconds. */
function watchStops(): { end(): number } {
  let [last, longest, runs] = [performance.now(), 0, true];
  const turn = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (runs) setImmediate(turn);
  };
  setImmediate(turn);
  return {
    end: () => {
      runs = false;
      return longest;
    },
  };
}
