import type { Command } from "../command.js";

/** Copies all state between an embedded deployment and MongoDB, either way. */
export const copy: Command = {
  does:
    "Copies database, files and signing keys of DATA_DIR, or of MONGODB_URL if it is set, to an empty MongoDB database " +
    "(--to mongodb://…) or a new data folder (--to DIR), and compares both. Stop all servers first. If it is " +
    "interrupted, the same command continues.",
  required: ["to"],
  optional: [],
  settleMs: 0,
  run: async ({ config }, { to = "" }) => {
    const { copyTo } = await import("./copy-to.js");
    return copyTo(to, config);
  },
};
