import { readFile } from "node:fs/promises";
import { createMediaPool, type MediaPool, type MediaTask, VISUAL_ANALYSES } from "@hourglass/analysis";
import { decodeImage, detectObjects } from "@hourglass/analysis/training";
import { createPictureMaker, type MadePicture, type PictureMaker } from "./image-files.js";
import { median, type Measurement } from "./measure.js";
import { descendantsTook } from "./process-tree.js";

const ROUNDS = 2;
const PICTURES = 200;
const SECONDS_MAX = 1.5;
const RSS_MAX_MB = 900;

/**
 * Seconds per picture for each analysis and for all, once models are loaded, and the memory of the process over many
 * pictures.
 */
export async function measureImages(): Promise<Measurement[]> {
  const pool = createMediaPool({ offline: true, media: { environment: { PATH: process.env["PATH"] ?? "" } } });
  const pictures = await createPictureMaker();
  try {
    return [...(await speeds(pool, pictures)), ...(await memory(pool, pictures))];
  } finally {
    await pool.close();
    await pictures.remove();
  }
}

async function speeds(pool: MediaPool, maker: PictureMaker): Promise<Measurement[]> {
  const photos = await maker.photos();
  const asked: { name: string; analyses: MediaTask["analyses"]; readsText: boolean; target: string }[] = [
    ...VISUAL_ANALYSES.map((type) => ({ name: type, analyses: [type], readsText: false, target: "" })),
    { name: "reading words", analyses: [], readsText: true, target: "" },
    { name: "all five and words", analyses: VISUAL_ANALYSES, readsText: true, target: `≤ ${SECONDS_MAX} s` },
  ];
  // Excludes the loading of models from the measurement.
  await look(pool, photos[0]!, { analyses: VISUAL_ANALYSES, readsText: true });
  await bareDetector(photos.slice(0, 1));
  const rows: Measurement[] = [];
  for (const { name, target, ...task } of asked) {
    const rounds: Round[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const bare = await bareDetector(photos);
      const before = await descendantsTook();
      const begin = performance.now();
      for (const photo of photos) await look(pool, photo, task);
      const ours = (performance.now() - begin) / 1000 / photos.length;
      const after = await descendantsTook();
      rounds.push({ ours, bare, cpu: ((after?.cpuSeconds ?? 0) - (before?.cpuSeconds ?? 0)) / photos.length });
    }
    const [ours, bare, cpu] = (["ours", "bare", "cpu"] as const).map((key) =>
      median(rounds.map((round) => round[key])).toFixed(2),
    );
    rows.push({
      name: `photo of 640 to 1,280 pixels, ${name}`,
      value: `${ours} s (${cpu} s of processor)`,
      baseline: `decoding and the bare detector of objects ${bare} s`,
      ratio: median(rounds.map((round) => round.ours / round.bare)),
      target,
    });
  }
  return rows;
}

/** Seconds per photo. */
interface Round {
  ours: number;
  bare: number;
  /** Of processor time, which distinguishes a busy machine from slow code; 0 without /proc. */
  cpu: number;
}

async function look(
  pool: MediaPool,
  { file, facts }: MadePicture,
  asked: Pick<MediaTask, "analyses" | "readsText">,
): Promise<void> {
  const { errors } = await pool.analyze({
    file,
    facts,
    ...asked,
    transcribes: false,
    gallery: { faces: [], marks: [] },
  });
  const missing = Object.entries(errors).map(([type, error]) => `${type}: ${error}`);
  if (missing.length > 0) throw new Error(missing.join("; "));
}

/** Seconds per photo in this process, without a pool. */
async function bareDetector(photos: readonly MadePicture[]): Promise<number> {
  const begin = performance.now();
  for (const { file, facts } of photos) await detectObjects(await decodeImage(file, facts));
  return (performance.now() - begin) / 1000 / photos.length;
}

async function memory(pool: MediaPool, maker: PictureMaker): Promise<Measurement[]> {
  const measured: Awaited<ReturnType<typeof largestChild>>[] = [];
  for (let number = 0; number < PICTURES; number++) {
    await look(pool, await maker.variant(number), { analyses: VISUAL_ANALYSES, readsText: true });
    measured.push(await largestChild());
  }
  const at = (number: number): string => `${number}: ${measured[number - 1]?.rssMb.toFixed(0) ?? ""}`;
  const peak = Math.max(...measured.map(({ peakMb }) => peakMb));
  const processes = new Set(measured.map(({ pid }) => pid)).size;
  return [
    {
      name: `${PICTURES} pictures, all five and words${maker.draws ? "" : " (no font to draw words with)"}: memory after 1, 50, 100 and 200 of them, and at its peak`,
      value: `${[1, 50, 100, PICTURES].map(at).join(", ")} MB; ${peak.toFixed(0)} MB`,
      baseline: `${processes} process${processes === 1 ? "" : "es"}`,
      target: `≤ ${RSS_MAX_MB} MB`,
    },
  ];
}

/** The child of this process with the most memory; zeros without /proc. */
async function largestChild(): Promise<{ pid: string; rssMb: number; peakMb: number }> {
  const children = await read(`/proc/${process.pid}/task/${process.pid}/children`);
  const sizes = await Promise.all(
    children
      .split(" ")
      .filter((pid) => pid !== "")
      .map(async (pid) => {
        const status = await read(`/proc/${pid}/status`);
        const megabytes = (field: string) =>
          Number(new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(status)?.[1] ?? 0) / 1024;
        return { pid, rssMb: megabytes("VmRSS"), peakMb: megabytes("VmHWM") };
      }),
  );
  return sizes.reduce((largest, size) => (size.rssMb > largest.rssMb ? size : largest), {
    pid: "",
    rssMb: 0,
    peakMb: 0,
  });
}

const read = (file: string): Promise<string> => readFile(file, "utf8").catch(() => "");
