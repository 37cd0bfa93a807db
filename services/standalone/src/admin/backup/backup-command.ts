import type { Command } from "../command.js";

/** Copies all state of an embedded deployment. */
export const backup: Command = {
  does:
    "Copies database, files and signing keys of DATA_DIR into a new folder, beside running servers. " +
    "To restore, stop the servers and put the copy in the place of DATA_DIR.",
  required: ["to"],
  optional: [],
  settleMs: 0,
  run: async ({ config }, { to = "" }) => {
    const { backUp } = await import("./backup.js");
    const { folder, databaseBytes, files, keys, leftOut } = await backUp({ config, to });
    return [
      `Backed up to ${folder}`,
      `database\t${databaseBytes} bytes`,
      `files\t${files.count} files, ${files.bytes} bytes`,
      `signing keys\t${keys.count} files`,
      ...leftOut.map((name) => `not copied\t${name}`),
    ];
  },
};
