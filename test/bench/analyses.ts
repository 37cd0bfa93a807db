import { TEXTUAL_ANALYSES, analyzeInline } from "@hourglass/analysis";
import { signIn, startHourglass } from "./child.js";
import { median, type Measurement } from "./measure.js";
import { benchTexts } from "./texts.js";

const COUNT = 1000;
const ROUNDS = 3;

/** 1,000 texts × six analyses from POST to done, compared with calling the analyzers in a loop in this process. */
export async function measureAnalyses(): Promise<Measurement[]> {
  const texts = benchTexts(COUNT);
  const server = await startHourglass();
  try {
    const authorization = await signIn(server.url);
    await throughService(server.url, authorization, texts); // loads the models
    await inLoop(texts);
    const pairs: { service: number; loop: number }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      pairs.push({ service: await throughService(server.url, authorization, texts), loop: await inLoop(texts) });
    }
    const perSecond = median(pairs.map(({ service }) => service));
    const alone: number[] = [];
    for (let round = 0; round < 20; round++) {
      alone.push(1000 / (await throughService(server.url, authorization, texts.slice(round, round + 1))));
    }
    return [
      {
        name: "one text × 6 analyses, POST to done, nothing else to do",
        value: `${median(alone).toFixed(0)} ms`,
        baseline: "",
        target: "",
      },
      {
        name: `${COUNT} texts × 6 analyses, POST to done`,
        value: `${(COUNT / perSecond).toFixed(2)} s`,
        baseline: "",
        target: "≤ 6.00 s",
      },
      {
        name: `${COUNT} texts × 6 analyses, POST to done`,
        value: `${Math.round(perSecond)} texts/s`,
        baseline: `bare loop ${Math.round(median(pairs.map(({ loop }) => loop)))} texts/s`,
        ratio: median(pairs.map(({ service, loop }) => service / loop)),
        target: "≥ 0.80",
      },
    ];
  } finally {
    await server.close();
  }
}

async function inLoop(texts: readonly string[]): Promise<number> {
  const begin = performance.now();
  await analyzeInline(texts, TEXTUAL_ANALYSES);
  return (texts.length * 1000) / (performance.now() - begin);
}

async function throughService(url: string, authorization: string, texts: readonly string[]): Promise<number> {
  const operations = `${url}/api/v2/products/api/operations`;
  const headers = { authorization, "content-type": "application/json" };
  const body = JSON.stringify({ type: "text", analyses: TEXTUAL_ANALYSES, contents: texts });
  const begin = performance.now();
  const created = await fetch(operations, { method: "POST", headers, body });
  const { id } = (await created.json()) as { id: number };
  const read = await fetch(`${operations}/${id}?wait=60`, { headers });
  const elapsed = performance.now() - begin;
  const { status } = (await read.json()) as { status: string };
  if (status !== "done") throw new Error(`operation ${id} is ${status} after ${Math.round(elapsed)} ms`);
  return (texts.length * 1000) / elapsed;
}
