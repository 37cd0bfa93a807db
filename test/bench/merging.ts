import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { ExportWorld, draft, user } from "../support/export-world.js";
import { median, type Measurement } from "./measure.js";

const POSTINGS = 20_000;
const INSIGHTS = 100;
const ROUNDS = 3;
const SPAN = { start: timestampFromMs(Date.UTC(2026, 0, 1)), end: timestampFromMs(Date.UTC(2030, 0, 1)) };

/** Streaming the postings of many insights, in order of time, compared with those of one that has as many. */
export async function measureMerging(): Promise<Measurement[]> {
  const world = await ExportWorld.open();
  try {
    const one = [await fill(world, POSTINGS, 0)];
    const many: number[] = [];
    for (let index = 0; index < INSIGHTS; index++) many.push(await fill(world, POSTINGS / INSIGHTS, index));
    const rounds: { one: number; many: number }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      rounds.push({ one: await streamed(world, one), many: await streamed(world, many) });
    }
    const seconds = (kind: "one" | "many") => `${(median(rounds.map((round) => round[kind])) / 1000).toFixed(2)} s`;
    return [
      {
        name: `merging ${POSTINGS.toLocaleString("en")} postings of ${INSIGHTS} insights, processor time`,
        value: seconds("many"),
        baseline: `of one insight ${seconds("one")}`,
        ratio: median(rounds.map((round) => round.many / round.one)),
        target: "≤ 1.50",
      },
    ];
  } finally {
    await world.close();
  }
}

/** An insight whose postings lie between those of the others. */
async function fill(world: ExportWorld, count: number, offset: number): Promise<number> {
  const insight = await world.insight();
  const step = POSTINGS / count;
  const drafts = Array.from({ length: count }, (_, index) => draft(index * step + offset, { text: TEXT }));
  await world.save(insight, drafts);
  return insight;
}

const TEXT = "A kestrel hovers over the field while two crows watch it from a wire. ".repeat(5);

async function streamed(world: ExportWorld, insights: readonly number[]): Promise<number> {
  const asked = insights.map((id) => ({ id: BigInt(id), watermark: BigInt(Number.MAX_SAFE_INTEGER) }));
  const before = process.cpuUsage();
  let count = 0;
  for await (const { postings } of world.insights.streamPostings({ insights: asked, ...SPAN }, user())) {
    count += postings.length;
  }
  if (count !== POSTINGS) throw new Error(`${count} postings were streamed`);
  const { user: own, system } = process.cpuUsage(before);
  return (own + system) / 1000;
}
