import { administerPlatforms, type PlatformAdministration, type PlatformState } from "@hourglass/insight";
import { openStorage } from "@hourglass/runtime";
import type { Administration, Opening } from "./administration.js";
import type { Row } from "./output.js";

/** Opens the connections to platforms. */
export async function openPlatforms({ config, log, lifecycle }: Opening): Promise<PlatformAdministration> {
  const { store } = await openStorage({ config, log, lifecycle, parts: ["store"] });
  return administerPlatforms({ store, config });
}

/** Platforms and budgets. */
export async function listPlatforms({ platforms: open }: Administration): Promise<Row[]> {
  const administration = await open();
  try {
    const { platforms, budgets } = await administration.list();
    return [
      ...platforms.map(rowOfPlatform),
      ...budgets.map(({ name, spent, limit, units, resetAt }): Row => [
        ["budget", name],
        ["spent", { spent, limit }, `${spent} of ${limit}`],
        ["units", units],
        ["reset_at", new Date(resetAt).toISOString()],
      ]),
    ];
  } finally {
    administration.close();
  }
}

function rowOfPlatform({ name, missing, searches }: PlatformState): Row {
  const counted = Object.entries(searches).map(([status, count]) => `${count} ${status}`);
  return [
    ["platform", name],
    ["missing", missing ?? null, missing ?? "ready"],
    ["searches", searches, counted.join(", ")],
  ];
}

/** Whether platforms accept their credentials. */
export async function checkPlatforms({ platforms: open }: Administration): Promise<Row[]> {
  const administration = await open();
  try {
    const checks = await administration.check();
    return checks.map(({ name, outcome, message }): Row => [
      ["platform", name],
      ["outcome", outcome],
      ["message", message],
    ]);
  } finally {
    administration.close();
  }
}
