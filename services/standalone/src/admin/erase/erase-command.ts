import type { Command } from "../command.js";
import { UsageError } from "../../usage-error.js";
import { documentsIn } from "./documents-in.js";

/** Erases a company with all it has. */
const deleteCompany: Command = {
  does:
    "Erases a company with all its users, files, operations, insights and exports, for good, beside running servers too. " +
    "Without --yes it only says what would be erased. If it is interrupted, the same command continues.",
  required: ["name"],
  optional: [],
  flags: ["with-data", "yes"],
  makesRoom: true,
  settleMs: 0,
  run: async (administration, values) => {
    const { name = "", "with-data": withData, yes } = values;
    if (withData === undefined) {
      throw new UsageError(
        "Give --with-data: a company is deleted with all it has. To keep its data, but lock it out, delete its users.",
      );
    }
    const { deleteWithData } = await import("./delete-with-data.js");
    return deleteWithData(administration, { name, isConfirmed: yes !== undefined });
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
      [id, begunAt, endedAt ?? "not complete: run company delete again", documentsIn(documents), files].join("\t"),
    );
  },
};

/** Commands that erase companies, by their two words. */
export const ERASE_COMMANDS: Readonly<Record<string, Command>> = {
  "company delete": deleteCompany,
  "company erasures": listErasures,
};
