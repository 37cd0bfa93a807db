import type { TestStorage } from "../../support/test-storage.js";
import type { OpenedStore } from "../insights/open-store.js";
import { storedFiles } from "../stored-files.js";

interface FileSet {
  id: string;
  dueAt: number | null;
}

const FORMATS = ["csv", "ndjson", "parquet"] as const;

/**
 * Erasures and files of a process that died are taken for abandoned minutes after they were begun. Skips these minutes;
 * nobody may erase or export meanwhile.
 */
export async function skipAbandonment({ store }: OpenedStore): Promise<void> {
  const now = Date.now();
  for (const name of ["posting_erasures", "export_file_sets"]) {
    const records = await store.collection<{ id: string | number; dueAt: number | null }>({ name });
    await records.updateMany({ dueAt: { gt: now } }, { set: { dueAt: now } });
  }
}

/** What exports have left behind in the store and in the storage of files, as sentences. */
export async function findLeftovers({ store }: OpenedStore, storage: TestStorage): Promise<string[]> {
  const open = await unfollowed(store);
  if (open.length > 0) return open;
  const sets = await store.collection<FileSet>({ name: "export_file_sets" });
  const exports = await store.collection<{ id: number; fileSet: string | null }>({ name: "exports" });
  const owned = (await exports.find({})).flatMap(({ fileSet }) => fileSet ?? []);
  const files = await storedFiles(storage);
  const expected = owned.flatMap((set) => FORMATS.map((format) => `exports/${set}-${format}`));
  return [
    ...differing("file", { found: files, expected }),
    ...differing("set", { found: (await sets.find({})).map(({ id }) => id), expected: owned }),
  ];
}

function differing(what: string, { found, expected }: { found: string[]; expected: string[] }): string[] {
  return [
    ...found.filter((name) => !expected.includes(name)).map((name) => `the ${what} ${name} was left behind`),
    ...expected.filter((name) => !found.includes(name)).map((name) => `the ${what} ${name} is lost`),
  ];
}

async function unfollowed(store: OpenedStore["store"]): Promise<string[]> {
  const erasures = await store.collection<{ id: number }>({ name: "posting_erasures" });
  const companies = await store.collection<{ id: number; followed: unknown[] }>({ name: "export_companies" });
  const open = (await erasures.find({})).map(({ id }) => `erasure ${id} has not ended`);
  const running = (await companies.find({})).flatMap(({ followed }) => followed);
  return [...open, ...running.map((each) => `runs are waited for: ${JSON.stringify(each)}`)];
}
