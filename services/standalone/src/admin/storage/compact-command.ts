import type { Command } from "../command.js";
import { printProgress } from "../output.js";

/** Writes the database of an embedded deployment anew. */
export const compact: Command = {
  does:
    "Writes the database of DATA_DIR anew, without the space of what was deleted; files of older releases then give " +
    "space back by themselves, too. Stop all servers first. The disk needs room for the new file beside the old one.",
  required: [],
  optional: [],
  settleMs: 0,
  run: async ({ config }) => {
    const { AppError, compactEmbeddedDatabase } = await import("@hourglass/runtime");
    if (config.mongodbUrl !== undefined) {
      throw new AppError("unimplemented", "The data is in MongoDB (MONGODB_URL). Its own command compact does this.");
    }
    const { before, after } = await compactEmbeddedDatabase({ dataDir: config.dataDir, onStep: printProgress });
    return [`Compacted the database of ${config.dataDir}`, `before\t${before} bytes`, `after\t${after} bytes`];
  },
};
