import { AppError, compactDatabase, freeOn, measureBlobs } from "@hourglass/runtime";
import { allData, measureCompany } from "../company-data.js";
import type { Administration, OptionValues } from "./administration.js";
import { printProgress } from "./output.js";

/** What takes the space: of the whole storage, or of one company. */
export async function usage(administration: Administration, { company, json }: OptionValues): Promise<string[]> {
  const measured =
    company === undefined ? await usageOfAll(administration) : await usageOfCompany(administration, company);
  return json === undefined ? linesOf(measured) : [JSON.stringify(measured)];
}

/** What the storage holds, as `--json` prints it. */
interface Usage {
  records: { name: string; documents: number; bytes: number }[];
  /** By the first word of their keys; of a company by the collection that names them. */
  files: { name: string; files: number; bytes: number }[];
  /** Of the whole storage. */
  database?: { bytes: number; freeBytes: number };
  /** Of a data folder. */
  diskFreeBytes?: number;
}

async function usageOfAll({ config, erasures }: Administration): Promise<Usage> {
  const { contents, blobs } = await erasures();
  const { collections, totalBytes, freeBytes } = await contents.measure();
  const files = [...(await measureBlobs(blobs))].map(([name, folder]) => ({ name, ...folder }));
  return {
    records: collections,
    files,
    database: { bytes: totalBytes, freeBytes },
    ...(config.mongodbUrl === undefined ? { diskFreeBytes: await freeOn(config.dataDir) } : {}),
  };
}

async function usageOfCompany({ config, erasures }: Administration, name: string): Promise<Usage> {
  const { store, blobs, companies } = await erasures();
  const { id } = await companies.find(name);
  const holdings = await measureCompany({ store, blobs, data: allData(config) }, id);
  return {
    records: holdings.map(({ collection, documents, bytes }) => ({ name: collection, documents, bytes })),
    files: holdings
      .filter(({ files }) => files > 0)
      .map(({ collection, files, fileBytes }) => ({ name: collection, files, bytes: fileBytes })),
  };
}

/** One line of text per measure. */
function linesOf({ records, files, database, diskFreeBytes }: Usage): string[] {
  const lines = [
    ...records.map(({ name, documents, bytes }) => ["records", name, documents, bytes]),
    ...files.map(({ name, files: count, bytes }) => ["files", name, count, bytes]),
    ...(database === undefined
      ? []
      : [
          ["database", "total", "", database.bytes],
          ["database", "free", "", database.freeBytes],
        ]),
    ...(diskFreeBytes === undefined ? [] : [["disk", "free", "", diskFreeBytes]]),
  ];
  return lines.map((line) => line.join("\t"));
}

/** Rewrites the database of an embedded deployment. */
export async function compact({ config }: Administration): Promise<string[]> {
  if (config.mongodbUrl !== undefined) {
    throw new AppError("unimplemented", "The data is in MongoDB (MONGODB_URL). Its own command compact does this.");
  }
  const { before, after } = await compactDatabase({ dataDir: config.dataDir, onStep: printProgress });
  return [`Compacted the database of ${config.dataDir}`, `before\t${before} bytes`, `after\t${after} bytes`];
}
