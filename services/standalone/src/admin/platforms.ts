import { administerPlatforms, type PlatformAdministration, type PlatformState } from "@hourglass/insight";
import { openStorage } from "@hourglass/runtime";
import type { Administration, Opening } from "./administration.js";
import { escapeField } from "./output.js";

/** Opens the connections to platforms. */
export async function openPlatforms({ config, log, lifecycle }: Opening): Promise<PlatformAdministration> {
  const { store } = await openStorage({ config, log, lifecycle, parts: ["store"] });
  return administerPlatforms({ store, config });
}

/** Platforms and budgets. */
export async function listPlatforms({ platforms: open }: Administration): Promise<string[]> {
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
}

function describePlatform({ name, missing, searches }: PlatformState): string {
  const counted = Object.entries(searches).map(([status, count]) => `${count} ${status}`);
  return [name, missing === undefined ? "ready" : escapeField(missing), counted.join(", ")].join("\t").trimEnd();
}

/** Whether platforms accept their credentials. */
export async function checkPlatforms({ platforms: open }: Administration): Promise<string[]> {
  const administration = await open();
  try {
    const checks = await administration.check();
    return checks.map(({ name, outcome, message }) => [name, outcome, escapeField(message)].join("\t").trimEnd());
  } finally {
    administration.close();
  }
}
