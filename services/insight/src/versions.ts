import { type Collection, deleteStep, insertStep, type Step } from "@hourglass/runtime";
import type { Collections } from "./store/collections.js";
import { type FormerVersion, type InsightRecord, versionId } from "./store/records.js";

/** A query of an insight, from when it was given until the next one was. */
export type InsightVersion = Pick<FormerVersion, "version" | "at" | "by" | "query">;

/** Older versions than the latest ones are forgotten. */
export const VERSIONS_MAX = 50;

/** The present version. */
export function presentVersion(insight: InsightRecord): InsightVersion {
  const { keywords, platforms, location, follow } = insight.query;
  const { version = 1, versionAt: at = insight.createdAt, versionBy, createdBy = null } = insight;
  const by = insight.version === undefined ? createdBy : (versionBy ?? null);
  return { version, at, by, query: { keywords, platforms, location, follow } };
}

/** Writes that keep the version that a change ends; for the same commit. */
export function endVersionSteps(versions: Collection<FormerVersion>, insight: InsightRecord): Step[] {
  const ended = presentVersion(insight);
  const { id: insightId, companyId } = insight;
  const id = versionId(insightId, ended.version);
  // With the one that begins.
  const oldest = ended.version + 2 - VERSIONS_MAX;
  return [
    insertStep(versions, { id, insightId, companyId, ...ended }),
    ...(oldest > 1 ? [deleteStep(versions, { insightId, version: { lt: oldest } })] : []),
  ];
}

/** The latest versions of an insight as it was read, oldest first. */
export async function readVersions(
  { versions }: Pick<Collections, "versions">,
  insight: InsightRecord,
): Promise<InsightVersion[]> {
  const present = presentVersion(insight);
  if (present.version === 1) return [present];
  // Those of later changes are not of the insight as it was read.
  const former = await versions.find(
    { insightId: insight.id, version: { lt: present.version } },
    { sort: [["version", 1]] },
  );
  return [...former.map(({ version, at, by, query }) => ({ version, at, by, query })), present];
}
