import { isDeepStrictEqual } from "node:util";
import { parquetReadObjects } from "hyparquet";
import type { TestStorage } from "../../support/test-storage.js";
import type { OpenedStore } from "../insights/open-store.js";
import type { Bytes, ExportClient } from "./export-client.js";
import { differences, type ExportTraffic } from "./export-traffic.js";
import { findLeftovers, skipAbandonment } from "./stored-exports.js";

const AGAIN_MS = 300;
const WAIT_SECONDS = 5;

/** The outcome of all exports. `lost`, `twice` and `broken` must be empty. */
export interface ExportVerdict {
  kept: number;
  lost: string[];
  twice: string[];
  broken: string[];
}

export interface Court {
  client: ExportClient;
  traffic: ExportTraffic;
  /** Logged ends of each export. */
  endings: ReadonlyMap<number, number>;
  store: OpenedStore;
  storage: TestStorage;
  giveUpAt: number;
}

/** Waits until all exports are done and all erasures have ended; then compares every byte with undisturbed exports. */
export async function reachExportVerdict(court: Court): Promise<ExportVerdict> {
  const { client, traffic, endings, giveUpAt } = court;
  const lost: string[] = [];
  for (const { id } of traffic.kept) lost.push(...(await awaitDone(client, id, giveUpAt)));
  const broken = await awaitOrder(court);
  const eroded = await traffic.exportOnce(false);
  for (const { id, isSteady } of traffic.kept) {
    const bytes = await client.download(id);
    broken.push(
      ...(isSteady ? differences(id, bytes, traffic.undisturbed) : await erodedDifferences(id, bytes, eroded)),
    );
  }
  const held = socialIds(eroded?.ndjson);
  if (held.join() !== traffic.left.join()) broken.push(`${held.length} postings are left of ${traffic.left.length}`);
  const twice = [...endings].filter(([, count]) => count > 1).map(([id, count]) => `export ${id} ended ${count} times`);
  return { kept: traffic.kept.length, lost, twice, broken };
}

/** A Parquet file from which rows were taken holds what one without them holds, in other bytes. */
async function erodedDifferences(id: number, bytes: Bytes | undefined, expected: Bytes | undefined): Promise<string[]> {
  if (bytes === undefined || expected === undefined) return differences(id, bytes, expected);
  const [rows, wanted] = await Promise.all([rowsOf(bytes.parquet), rowsOf(expected.parquet)]);
  const found = differences(id, { ...bytes, parquet: expected.parquet }, expected);
  return isDeepStrictEqual(rows, wanted) ? found : [...found, `export ${id} has other rows as parquet`];
}

function rowsOf(parquet: Buffer): Promise<Record<string, unknown>[]> {
  return parquetReadObjects({ file: new Uint8Array(parquet).buffer });
}

async function awaitDone(client: ExportClient, id: number, giveUpAt: number): Promise<string[]> {
  for (;;) {
    const answer = await client.read(id, WAIT_SECONDS);
    if (answer?.status === "done") return [];
    if (answer === undefined || answer.status === "failed" || performance.now() > giveUpAt) {
      return [`export ${id} is ${answer?.status ?? "gone"}: ${answer?.error ?? ""}`];
    }
  }
}

/** What is left behind once nothing more is removed. */
async function awaitOrder({ store, storage, giveUpAt }: Court): Promise<string[]> {
  await skipAbandonment(store);
  for (;;) {
    const left = await findLeftovers(store, storage);
    if (left.length === 0 || performance.now() > giveUpAt) return left;
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}

function socialIds(ndjson: Buffer | undefined): string[] {
  const lines = (ndjson?.toString() ?? "").split("\n").filter(Boolean);
  return lines.map((line) => (JSON.parse(line) as { social_id: string }).social_id);
}
