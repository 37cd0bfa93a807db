import type { ErasureRecord } from "@hourglass/auth";
import { AppError, armFailpoints, counted } from "@hourglass/runtime";
import { allData } from "../../all-data.js";
import type { Administration } from "../command.js";
import { printProgress } from "../output.js";
import { Progress } from "../progress.js";
import { documentsIn } from "./documents-in.js";
import { eraseCompany } from "./erase-company.js";
import { measureCompany, type Holding } from "../holdings/measure-company.js";
import { undeclaredIn } from "./undeclared.js";

/**
 * Erases a company with all it has, or, unless that is confirmed, says what it has and fails. Returns the lines to print.
 * Fails with AppError `conflict` if collections are stored that this release does not know.
 */
export async function deleteWithData(
  administration: Administration,
  { name, isConfirmed }: { name: string; isConfirmed: boolean },
): Promise<string[]> {
  armFailpoints(administration.config.failpoints);
  const { store, blobs, contents, companies: erasures } = await administration.erasures();
  const { id, begunAt } = await erasures.find(name);
  const data = allData(administration.config);
  const unknown = await undeclaredIn(contents, data);
  if (unknown.length > 0) {
    throw new AppError(
      "conflict",
      `This release does not know whose data is in ${unknown.join(", ")}. Use the newest release that has used this storage.`,
    );
  }
  if (!isConfirmed) return refuse(await measureCompany({ store, blobs, data }, id), begunAt);
  const deps = { store, blobs, contents, erasures, data, progress: new Progress(printProgress) };
  return describe(await eraseCompany(deps, id));
}

function refuse(holdings: readonly Holding[], begunAt: string | undefined): never {
  const lines = holdings.map(({ collection, documents, files }) => {
    const named = files === 0 ? [] : [counted(files, "file")];
    return [collection, counted(documents, "document"), ...named].join("\t");
  });
  for (const line of lines) printProgress(line);
  const state = begunAt === undefined ? "Nothing was erased" : `Its erasure began at ${begunAt} and is not complete`;
  throw new AppError("conflict", `${state}. Add --yes to erase all of this for good; backups keep what they have.`);
}

function describe({ id, begunAt, endedAt, documents, files }: ErasureRecord): string[] {
  return [
    `Erased company ${id}: ${counted(documentsIn(documents), "document")}, ${counted(files, "file")}, from ${begunAt} to ${endedAt ?? ""}`,
    ...Object.entries(documents)
      .filter(([, count]) => count > 0)
      .map(([collection, count]) => `${collection}\t${count}`),
    "Backups made before keep what they have: docs/privacy.md says how long.",
  ];
}
