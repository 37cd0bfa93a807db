import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ErasureSchema } from "@hourglass/proto/insight/v1/insight_service";
import type { Collections } from "../../store/collections.js";
import { PLATFORM } from "@hourglass/posting";

/** The erasures of a company that exports have to follow: their postings are gone here. Oldest first. */
export type ListErasures = (companyId: number) => Promise<{ erasures: MessageInitShape<typeof ErasureSchema>[] }>;

/** As many as a request to end them may name. */
const LISTED_MAX = 500;

export function createListErasures({ erasures }: Pick<Collections, "erasures">): ListErasures {
  return async (companyId) => {
    const found = await erasures.find({ companyId, dueAt: null }, { sort: [["id", 1]], limit: LISTED_MAX });
    return {
      erasures: found.map(({ id, platform, by, value }) => ({
        id: BigInt(id),
        platform: PLATFORM.numberOf(platform),
        ...(by === "social_id" ? { socialId: value } : { authorId: value }),
      })),
    };
  };
}

/** Forgets erasures that exports have followed; what they erased is then named nowhere any more. */
export type EndErasures = (ids: readonly bigint[], companyId: number) => Promise<Record<string, never>>;

export function createEndErasures({ erasures }: Pick<Collections, "erasures">): EndErasures {
  return async (ids, companyId) => {
    await erasures.delete({ id: { in: ids.map(Number) }, companyId, dueAt: null });
    return {};
  };
}
