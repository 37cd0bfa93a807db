import type { MessageInitShape } from "@bufbuild/protobuf";
import { PLATFORM } from "@hourglass/posting";
import {
  FollowSchema,
  type Follow,
  type InsightQuery,
  type InsightQuerySchema,
} from "@hourglass/proto/insight/v1/insight";
import { itemsMaxOf } from "@hourglass/runtime";
import { boolean, list, object, string, type ObjectReader, type Read } from "@hourglass/runtime/json";
import { INSIGHT_DIMENSION } from "../spelling.js";

/** More than the number of platforms or dimensions: longer lists contain repetitions and are not examined. */
const NAMES_MAX = 100;

/** Kinds of sources to follow; JSON and the contract use the same names. */
export const FOLLOWED = ["feeds", "subreddits", "pages", "organisations"] as const;

const follow = object((fields) => Object.fromEntries(FOLLOWED.map((name) => [name, sources(fields, name)])));

function sources(fields: ObjectReader, name: (typeof FOLLOWED)[number]): string[] {
  // An item of another type becomes a text that differs for each index, so that two of them are not a repetition.
  const read = list(string, { itemsMax: itemsMaxOf(FollowSchema, name), placeholder: String });
  return fields.optional(name, read) ?? [];
}

/** Reads the query of a new insight on some of these platforms. */
export function insightQuery(platforms: readonly string[]): Read<MessageInitShape<typeof InsightQuerySchema>> {
  return object((query) => {
    const followed = query.optional("follow", follow);
    return {
      keywords: query.required("keywords", string) ?? "",
      platforms: query.required("platforms", PLATFORM.list(NAMES_MAX, platforms)) ?? [],
      dimensions: query.required("dimensions", INSIGHT_DIMENSION.list(NAMES_MAX)) ?? [],
      location: query.optional("location", string) ?? "",
      sneakPeek: query.optional("sneak_peek", boolean) ?? false,
      ...(followed === undefined ? {} : { follow: followed }),
    };
  });
}

/** The query in the record of an insight. */
export function fromInsightQuery(query: InsightQuery | undefined): unknown {
  return {
    keywords: query?.keywords ?? "",
    platforms: PLATFORM.all(query?.platforms ?? []),
    dimensions: INSIGHT_DIMENSION.all(query?.dimensions ?? []),
    location: query === undefined || query.location === "" ? null : query.location,
    sneak_peek: query?.sneakPeek ?? false,
    follow: query?.follow === undefined ? null : fromFollow(query.follow),
  };
}

function fromFollow(followed: Follow): unknown {
  return Object.fromEntries(FOLLOWED.map((name) => [name, followed[name]]));
}
