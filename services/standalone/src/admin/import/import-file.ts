import { createReadStream } from "node:fs";
import { open, readFile } from "node:fs/promises";
import path from "node:path";
import {
  DEFAULT_PRESET,
  PRESETS,
  readColumnMap,
  readCsv,
  readNdjson,
  type ColumnMap,
  type ImportRow,
} from "@hourglass/posting";
import { AppError, giveOneOf } from "@hourglass/runtime";
import { MalformedJson, parseJson, type Violations } from "@hourglass/runtime/json";
import { UsageError } from "../../usage-error.js";

/** A file of postings, and how to read it. */
export interface ImportFile {
  file: string;
  /** File of a column map. */
  map: string | undefined;
  preset: string | undefined;
}

const CSV_NAMES = [".csv", ".tsv", ".tab"];

/**
 * Opens the rows of a file: CSV if its name says so, or a map or a preset is given; otherwise JSON Lines. Throws AppError
 * `invalid` for a file that cannot be read and for a wrong map.
 */
export async function openRows({ file, map, preset }: ImportFile): Promise<AsyncIterable<ImportRow>> {
  if (preset !== undefined && !PRESETS.has(preset)) {
    throw new UsageError(`There is no preset "${preset}". ${giveOneOf([...PRESETS.keys()], preset)}`);
  }
  await checkReadable(file);
  const columns = map === undefined ? undefined : await readMap(path.resolve(map));
  const isCsv = map !== undefined || preset !== undefined || CSV_NAMES.includes(path.extname(file).toLowerCase());
  const bytes: AsyncIterable<Buffer> = createReadStream(file);
  if (!isCsv) return readNdjson(bytes);
  return readCsv(bytes, { map: columns, preset: preset ?? (columns === undefined ? DEFAULT_PRESET : undefined) });
}

/** Fails before the store is opened, so that a wrong file name is reported at once. */
async function checkReadable(file: string): Promise<void> {
  try {
    await (await open(file)).close();
  } catch (error) {
    throw unreadable(file, error);
  }
}

async function readMap(file: string): Promise<ColumnMap> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    throw unreadable(file, error);
  });
  const violations: Violations = [];
  try {
    const map = readColumnMap(parseJson(text, `The file ${file}`), "map", violations);
    if (map !== null && violations.length === 0) return map;
  } catch (error) {
    if (!(error instanceof MalformedJson)) throw error;
    throw new AppError("invalid", error.message);
  }
  throw AppError.invalid(violations);
}

function unreadable(file: string, cause: unknown): AppError {
  return new AppError("invalid", `The file ${file} cannot be read. Give a file that you may read.`, { cause });
}
