import type { Erasure } from "@hourglass/proto/insight/v1/insight_service";
import { type DueWork, failpoint } from "@hourglass/runtime";
import type { Insight } from "../insight/insight-port.js";
import type { ExportingCompany, FailedRevision, FollowedErasures } from "../records/export.js";
import type { Erased } from "../render/index.js";
import { type ReviseDeps, Reviser } from "./revise-export.js";

export interface FollowDeps extends ReviseDeps {
  insight: Insight;
  /** Interval between two looks for erasures of a company. */
  everyMs: number;
}

/**
 * Removes what Insight has erased from the exports of a company. Insight lists an erasure once its postings are gone there,
 * so exports that begin later cannot have them. The finished ones are revised at once; those that were running may have
 * read the postings before, so they are revised once they are done. An export that cannot be revised delays no other one and
 * is tried again, ever later. Once none is left, the erasure is forgotten everywhere.
 */
export function followErasures(deps: FollowDeps): DueWork<ExportingCompany> {
  return async (claim) => {
    const { id, followed } = claim.record;
    const listed = await listErasures(deps, id);
    const known = new Set(followed.flatMap(({ erasures }) => erasures));
    const fresh = listed.filter((erasure) => !known.has(Number(erasure.id)));
    const reviser = new Reviser(deps);
    try {
      const begun =
        fresh.length === 0 ? [] : [await follow(deps, { companyId: id, fresh, reviser, renew: () => claim.renew() })];
      const left = await endFollowed(deps, { companyId: id, listed, followed: [...followed, ...begun], reviser });
      if (followed.length > 0 || left.length > 0) {
        const failing = left.reduce((sum, { failed }) => sum + (failed?.length ?? 0), 0);
        await deps.collections.companies.update(claim.fence, { set: { followed: left, failing } });
      }
    } finally {
      await reviser.close();
    }
    await claim.reschedule(deps.now() + deps.everyMs);
  };
}

async function listErasures({ insight }: FollowDeps, companyId: number): Promise<Erasure[]> {
  const { client, serviceTokens } = insight;
  return (await serviceTokens.call(companyId, (token) => client.listErasures({}, { token }))).erasures;
}

/** Revises the finished exports, and notes the running ones, which were asked for first so that none is missed. */
async function follow(
  deps: FollowDeps,
  {
    companyId,
    fresh,
    reviser,
    renew,
  }: { companyId: number; fresh: readonly Erasure[]; reviser: Reviser; renew: () => Promise<boolean> },
): Promise<FollowedErasures> {
  const { exports } = deps.collections;
  const running = await exports.find({ companyId, status: "running" });
  const runs = running.map(({ id, runs: run }) => ({ exportId: id, run }));
  const erased = fresh.map(toErased);
  const failed: FailedRevision[] = [];
  for await (const { id } of exports.stream({ companyId, status: "done" })) {
    failed.push(...(await reviser.revise(id, erased)));
    await renew();
  }
  return { erasures: fresh.map(({ id }) => Number(id)), runs, failed };
}

/** Forgets the erasures whose runs have all ended and whose exports are all revised, and returns the others. */
async function endFollowed(
  deps: FollowDeps,
  {
    companyId,
    listed,
    followed,
    reviser,
  }: { companyId: number; listed: readonly Erasure[]; followed: FollowedErasures[]; reviser: Reviser },
): Promise<FollowedErasures[]> {
  const left: FollowedErasures[] = [];
  for (const { erasures, runs, failed: before = [] } of followed) {
    const erased = listed.filter(({ id }) => erasures.includes(Number(id))).map(toErased);
    const unfinished: FollowedErasures["runs"] = [];
    const failed: FailedRevision[] = [];
    for (const { exportId, run } of runs) {
      const record = await deps.collections.exports.get(exportId);
      if (record?.status === "running" && record.runs === run) unfinished.push({ exportId, run });
      else if (erased.length > 0) failed.push(...(await reviser.revise(exportId, erased)));
    }
    for (const failure of before) failed.push(...(await reviser.tryAgain(failure, erased)));
    if (unfinished.length > 0 || failed.length > 0) left.push({ erasures, runs: unfinished, failed });
    else await forget(deps, companyId, erasures);
  }
  return left;
}

async function forget({ insight }: FollowDeps, companyId: number, erasures: readonly number[]): Promise<void> {
  const { client, serviceTokens } = insight;
  failpoint("export.after_followed");
  await serviceTokens.call(companyId, (token) => client.endErasures({ ids: erasures.map(BigInt) }, { token }));
}

function toErased({ platform, socialId, authorId }: Erasure): Erased {
  return socialId === ""
    ? { platform, by: "author_id", value: authorId }
    : { platform, by: "social_id", value: socialId };
}
