import type { Administration, Command, OptionValues } from "../command.js";

const LIST_DEFAULT = "50";

const listDead: Command = {
  does:
    "One line per dead job, which no worker could end: id, queue, deliveries, when it died, why, and what it says, " +
    `separated by tabs; --limit is ${LIST_DEFAULT} per queue unless given.`,
  required: [],
  optional: ["queue", "limit"],
  settleMs: 0,
  run: async ({ queue: open }, { queue, limit = LIST_DEFAULT }) => {
    const jobs = await import("./dead-jobs.js");
    return jobs.listDead(open, queue, limit);
  },
};

const retryDead: Command = {
  does:
    "Puts a dead job (--id …), or all (--all true), back into its queue with fresh deliveries. " +
    "Does nothing for an operation that has ended: that is final, so create it again.",
  required: [],
  optional: ["id", "all", "queue"],
  settleMs: 0,
  run: (administration, values) => change(administration, values, "Retried"),
};

const dropDead: Command = {
  does: "Removes a dead job (--id …), or all (--all true). Operations stay as they are.",
  required: [],
  optional: ["id", "all", "queue"],
  settleMs: 0,
  run: (administration, values) => change(administration, values, "Dropped"),
};

/** Commands on jobs that no worker could complete, by their two words. */
export const JOB_COMMANDS: Readonly<Record<string, Command>> = {
  "jobs dead": listDead,
  "jobs retry": retryDead,
  "jobs drop": dropDead,
};

async function change(
  administration: Administration,
  values: OptionValues,
  done: "Retried" | "Dropped",
): Promise<string[]> {
  const { changeDead } = await import("./dead-jobs.js");
  return changeDead(administration, values, done);
}
