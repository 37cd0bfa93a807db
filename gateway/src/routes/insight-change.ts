import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { InsightDimension, InsightQuerySchema } from "@hourglass/proto/insight/v1/insight";
import { UpdateInsightRequestSchema } from "@hourglass/proto/insight/v1/insight_service";
import { Platform as PlatformNumber } from "@hourglass/proto/insight/v1/platform";
import { AppError, findViolations } from "@hourglass/runtime";
import { violationsOf } from "../http/field-errors.js";
import type { Input, Media, RouteContext } from "../http/route.js";
import type { Clients } from "../services.js";
import { messageOf } from "./input.js";
import { NAMES_MAX, NewFollow } from "./insight-query.js";
import { NewMetadata } from "./metadata.js";
import { platformAmong } from "./platforms.js";
import * as s from "./schema.js";

type Change = MessageInitShape<typeof UpdateInsightRequestSchema>;

const KEPT = "absent or null: as it is.";

/** Bodies of changes. */
export const CHANGE_EXAMPLES: NonNullable<Media["examples"]> = {
  own: {
    summary: "Name, note and metadata",
    value: { name: "Electric cars", note: "For the weekly report.", metadata: { campaign: "winter" } },
  },
  query: {
    summary: "Another query, which is a new version",
    value: { keywords: '"electric cars" OR #ev', platforms: ["news", "twitter"] },
  },
  continuous: { summary: "A preview becomes continuous", value: { sneak_peek: false } },
};

/** What a client might give although it cannot be changed here. */
const REFUSED = {
  dimensions: "Leave them out: dimensions cannot be changed. Create another insight with them.",
  query: "Give its fields beside name and note: keywords, platforms, location, follow, sneak_peek.",
  status: "Leave it out. PUT to …/pause or …/resume instead.",
};

/** The change of an insight on a server with these platforms. */
export function changeOf(service: Clients["insight"], platforms: readonly string[]): Input<Change> {
  const queried = (name: string, property: s.Property) => s.nullish(s.limitedAs(InsightQuerySchema, name, property));
  const Changes = s.request(
    UpdateInsightRequestSchema,
    {
      name: s.nullish(s.text(`An empty one removes it; ${KEPT}`)),
      note: s.nullish(s.text(`An empty one removes it; ${KEPT}`)),
      metadata: s.from("metadata.metadata", s.nullish(NewMetadata, `All of it; an empty one removes it; ${KEPT}`)),
      keywords: queried("keywords", s.text(`As in a new insight; ${KEPT}`)),
      platforms: s.from(
        "platforms.platforms",
        queried(
          "platforms",
          s.list(platformAmong(platforms), {
            description: `All platforms; nothing is collected any more from one that is left out, and what is stored stays; ${KEPT}`,
            maxItems: NAMES_MAX,
          }),
        ),
      ),
      location: queried("location", s.text(`As in a new insight; an empty one removes it; ${KEPT}`)),
      follow: s.nullish(NewFollow, `All sources, instead of those before; ${KEPT}`),
      sneak_peek: s.nullish(
        s.boolean(
          "False makes a preview continuous, also one that has ended; its postings stay. A continuous insight cannot become a preview.",
        ),
      ),
    },
    { id: "InsightChanges" },
  );
  const check = (change: Change, context: RouteContext) => checkChange(service, change, context);
  return messageOf(UpdateInsightRequestSchema, { body: Changes, isConditional: true, refused: REFUSED, check });
}

/**
 * Finds what is wrong with what is given: by the rules of a change, and by those of a query whose other parts are right.
 */
async function checkChange(service: Clients["insight"], change: Change, context: RouteContext): Promise<void> {
  const { keywords = "a", platforms, location = "", follow } = change;
  const query = {
    keywords,
    platforms: platforms?.platforms ?? [PlatformNumber.NEWS],
    dimensions: [InsightDimension.TEXTUAL],
    location,
    ...(follow !== undefined && { follow }),
  };
  const ofQuery = await service.checkInsight({ query }, context.options()).then(() => [], violationsOf);
  const rules = findViolations(UpdateInsightRequestSchema, create(UpdateInsightRequestSchema, change));
  const found = [...rules, ...ofQuery.map((each) => ({ ...each, field: each.field.replace(/^query\./, "") }))];
  const given = found.filter(({ field }) => change[field.replace(/[.[].*/, "") as keyof Change] !== undefined);
  const distinct = new Map(given.map((each) => [each.field, each]));
  if (distinct.size > 0) throw AppError.invalid([...distinct.values()]);
}
