import type { PlatformState } from "@hourglass/insight";
import type { Command } from "./command.js";
import { escapeField } from "./output.js";

const list: Command = {
  does:
    "One line per platform: name, ready or what is missing, and the number of searches in each state; then one line per " +
    "budget: name, what is spent of the limit, unit, and when it begins anew. Fields are separated by tabs.",
  required: [],
  optional: [],
  settleMs: 0,
  run: async ({ platforms: open }) => {
    const administration = await open();
    try {
      const { platforms, budgets } = await administration.list();
      return [
        ...platforms.map(describePlatform),
        ...budgets.map(({ name, spent, limit, units, resetAt }) =>
          [name, `${spent} of ${limit}`, units, new Date(resetAt).toISOString()].join("\t"),
        ),
      ];
    } finally {
      administration.close();
    }
  },
};

const check: Command = {
  does:
    "Asks each configured platform one question that costs next to nothing, and prints one line per platform: name, " +
    "whether its credentials are accepted, and what to do otherwise, separated by tabs.",
  required: [],
  optional: [],
  settleMs: 0,
  run: async ({ platforms: open }) => {
    const administration = await open();
    try {
      const checks = await administration.check();
      return checks.map(({ name, outcome, message }) => [name, outcome, escapeField(message)].join("\t").trimEnd());
    } finally {
      administration.close();
    }
  },
};

/** Commands on the platforms from which postings are collected. */
export const PLATFORM_COMMANDS: Readonly<Record<string, Command>> = {
  "platforms list": list,
  "platforms check": check,
};

function describePlatform({ name, missing, searches }: PlatformState): string {
  const counted = Object.entries(searches).map(([status, count]) => `${count} ${status}`);
  return [name, missing === undefined ? "ready" : escapeField(missing), counted.join(", ")].join("\t").trimEnd();
}
