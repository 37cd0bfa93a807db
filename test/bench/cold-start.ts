import { startBaseline, startHourglass } from "./child.js";
import { median, type Measurement } from "./measure.js";

const ROUNDS = 5;

/** Time from spawn to ready, compared with a bare Node HTTP server. */
export async function measureColdStart(): Promise<Measurement[]> {
  const pairs: { ours: number; bare: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const bare = await startBaseline("bare-http");
    await bare.close();
    const ours = await startHourglass();
    await ours.close();
    pairs.push({ ours: ours.startMs, bare: bare.startMs });
  }
  return [
    {
      name: "cold start to ready",
      value: `${Math.round(median(pairs.map(({ ours }) => ours)))} ms`,
      baseline: `bare node ${Math.round(median(pairs.map(({ bare }) => bare)))} ms`,
      ratio: median(pairs.map(({ ours, bare }) => ours / bare)),
      target: "≤ 4.00",
    },
  ];
}
