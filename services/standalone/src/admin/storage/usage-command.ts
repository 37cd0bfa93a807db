import type { Command } from "../command.js";

/** Says what takes the space. */
export const usage: Command = {
  does:
    "One line per collection and folder of files: kind, name, how many, and bytes, separated by tabs; then the size of " +
    "the database and what is free. With --company only what that company has, in bytes of its documents as JSON.",
  required: [],
  optional: ["company"],
  flags: ["json"],
  settleMs: 0,
  run: async (administration, { company, json }) => {
    const { measureUsage, linesOf } = await import("./measure-usage.js");
    const found = await measureUsage(administration, company);
    return json === undefined ? linesOf(found) : [JSON.stringify(found)];
  },
};
