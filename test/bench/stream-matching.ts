import { compileQueries, parseQuery, readStreamFrame } from "@hourglass/insight";
import { median, type Measurement } from "./measure.js";
import { shortPosts } from "./texts.js";

const ROUNDS = 11;
const EVENTS = 4_000;
const QUERIES = 100;
/** What Jetstream sends of the whole network, likes and follows included. */
const EVENTS_PER_SECOND = 2_000;

/** What people search for: a name with a word, a phrase, alternatives, exclusions, and here and there a prefix or a tag. */
const SHAPES: readonly ((name: string) => string)[] = [
  (name) => `${name} update`,
  (name) => `"${name} phone", ${name} (library OR museum) -tablet`,
  (name) => `${name} OR #${name}`,
  (name) => `${name}, "record earnings" ${name}`,
  (name) => `${name}* battery`,
  (name) => `#${name} holiday`,
  (name) => `@${name}`,
];

/** Events of a stream, read and matched against many queries, compared with reading them alone. */
export async function measureStreamMatching(): Promise<Measurement[]> {
  const frames = shortPosts(EVENTS).map(frameOf);
  const matcher = compileQueries(Array.from({ length: QUERIES }, (_, index) => [index, parseQuery(keywordsOf(index))]));
  const rounds = Array.from({ length: ROUNDS }, () => {
    const matching = rateOf(frames, (frame) => {
      const post = readStreamFrame(frame);
      if (post !== undefined) matcher.match(post);
    });
    return { matching, parsing: rateOf(frames, (frame) => JSON.parse(frame) as unknown) };
  });
  const matching = median(rounds.map((round) => round.matching));
  const parsing = median(rounds.map((round) => round.parsing));
  return [
    {
      name: `stream of posts, matched against ${QUERIES} queries on one core`,
      value: `${perSecond(matching)}, ${(matching / EVENTS_PER_SECOND).toFixed(1)} × Jetstream`,
      baseline: `parsing alone ${perSecond(parsing)}`,
      ratio: median(rounds.map((round) => round.matching / round.parsing)),
      target: `≥ ${EVENTS_PER_SECOND} events/s`,
    },
  ];
}

function keywordsOf(index: number): string {
  const shape = SHAPES[index % SHAPES.length]!;
  return shape(["kestrel", "lisbon", "arsenal", "merlin", "peregrine"][index % 5]! + (index < 10 ? "" : String(index)));
}

/** An event as Jetstream sends it. */
function frameOf(text: string, index: number): string {
  const rkey = `3k${index}`;
  const record = { $type: "app.bsky.feed.post", createdAt: "2026-11-22T12:00:00.000Z", langs: ["en"], text };
  const commit = {
    rev: rkey,
    operation: "create",
    collection: "app.bsky.feed.post",
    rkey,
    record,
    cid: `bafyrei${rkey}`,
  };
  return JSON.stringify({ did: `did:plc:${index}`, time_us: 1_795_000_000_000_000 + index, kind: "commit", commit });
}

/** Frames per second of processor time. */
function rateOf(frames: readonly string[], run: (frame: string) => unknown): number {
  const before = process.cpuUsage();
  for (const frame of frames) run(frame);
  const { user, system } = process.cpuUsage(before);
  return (frames.length * 1e6) / (user + system);
}

function perSecond(rate: number): string {
  return `${Math.round(rate / 100) * 100} events/s`;
}
