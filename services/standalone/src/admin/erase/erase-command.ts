import type { ErasureRecord } from "@hourglass/auth";
import { AppError, armFailpoints, counted } from "@hourglass/runtime";
import type { Command } from "../command.js";
import { Progress } from "../progress.js";
import { printProgress } from "../output.js";
import { UsageError } from "../../usage-error.js";
import { allData } from "../../all-data.js";
import { eraseCompany } from "./erase-company.js";
import { measureCompany, type Holding } from "./measure-company.js";
import { undeclaredIn } from "./undeclared.js";

/** Erases a company with all it has. */
const deleteCompany: Command = {
  does:
    "Erases a company with all its users, files, operations, insights and exports, for good, beside running servers too. " +
    "Without --yes it only says what would be erased. If it is interrupted, the same command continues.",
  required: ["name"],
  optional: [],
  flags: ["with-data", "yes"],
  settleMs: 0,
  run: async (administration, values) => {
    const { name = "", "with-data": withData, yes } = values;
    if (withData === undefined) {
      throw new UsageError(
        "Give --with-data: a company is deleted with all it has. To keep its data, but lock it out, delete its users.",
      );
    }
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
    if (yes === undefined) return refuse(await measureCompany({ store, blobs, data }, id), begunAt);
    const deps = { store, blobs, contents, erasures, data, progress: new Progress(printProgress) };
    return describe(await eraseCompany(deps, id));
  },
};

const listErasures: Command = {
  does: "One line per erased company: its id, when its erasure began and ended, and how many documents and files it had.",
  required: [],
  optional: [],
  settleMs: 0,
  run: async ({ erasures }) => {
    const { companies } = await erasures();
    return (await companies.list()).map(({ id, begunAt, endedAt, documents, files }) =>
      [id, begunAt, endedAt ?? "not complete: run company delete again", sum(documents), files].join("\t"),
    );
  },
};

/** Commands that erase companies, by their two words. */
export const ERASE_COMMANDS: Readonly<Record<string, Command>> = {
  "company delete": deleteCompany,
  "company erasures": listErasures,
};

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
    `Erased company ${id}: ${counted(sum(documents), "document")}, ${counted(files, "file")}, from ${begunAt} to ${endedAt ?? ""}`,
    ...Object.entries(documents)
      .filter(([, count]) => count > 0)
      .map(([collection, count]) => `${collection}\t${count}`),
    "Backups made before keep what they have: docs/privacy.md says how long.",
  ];
}

function sum(documents: Readonly<Record<string, number>>): number {
  return Object.values(documents).reduce((total, count) => total + count, 0);
}
