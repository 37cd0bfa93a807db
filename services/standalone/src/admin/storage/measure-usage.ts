import { freeOn, measureBlobs } from "@hourglass/runtime";
import { allData } from "../../all-data.js";
import type { Administration } from "../command.js";
import { measureCompany } from "../holdings/measure-company.js";

/** What the storage holds, as `--json` prints it. */
export interface Usage {
  records: { name: string; documents: number; bytes: number }[];
  /** By the first word of their keys; of a company by the collection that names them. */
  files: { name: string; files: number; bytes: number }[];
  /** Of the whole storage. */
  database?: { bytes: number; freeBytes: number };
  /** Of a data folder. */
  diskFreeBytes?: number;
}

/** Measures the whole storage, or what a company has in it. */
export function measureUsage(administration: Administration, company: string | undefined): Promise<Usage> {
  return company === undefined ? ofAll(administration) : ofCompany(administration, company);
}

async function ofAll({ config, erasures }: Administration): Promise<Usage> {
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

async function ofCompany({ config, erasures }: Administration, name: string): Promise<Usage> {
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
export function linesOf({ records, files, database, diskFreeBytes }: Usage): string[] {
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
