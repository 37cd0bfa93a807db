import {
  FollowSchema,
  InsightDimensionSchema,
  InsightQuerySchema,
  InsightVersionSchema,
} from "@hourglass/proto/insight/v1/insight";
import { QueryWarningSchema } from "@hourglass/proto/insight/v1/insight_service";
import { Spelling } from "@hourglass/runtime/json";
import { Platform, platformAmong } from "./platforms.js";
import { CREATED_BY_EXAMPLE, CreatedBy } from "./created-by.js";
import * as s from "./schema.js";

/** More than the number of platforms or dimensions: longer lists contain repetitions. */
export const NAMES_MAX = 100;

const Dimension = s.spelled(new Spelling(InsightDimensionSchema), "What of a posting is analyzed.");

export const NewFollow = s.request(
  FollowSchema,
  {
    feeds: s.nullish(s.list(s.text())),
    subreddits: s.nullish(s.list(s.text())),
    pages: s.nullish(s.list(s.text())),
    organisations: s.nullish(s.list(s.text())),
    organizations: s.from(
      "organisations",
      s.nullish(s.list(s.text(), { description: "Another spelling of `organisations`." })),
    ),
  },
  {
    id: "NewFollow",
    description:
      "Sources to read in addition to those of the server: URLs of feeds for news, names of subreddits, pages of " +
      "facebook, and ids of organisations of linkedin.",
  },
);

/** The query of a new insight on a server with these platforms. */
export function newQuery(platforms: readonly string[]) {
  return s.request(
    InsightQuerySchema,
    {
      keywords: s.text(
        'Words (all must occur), "exact phrase", OR, parentheses, -not, #tag, @name; commas separate subject terms.',
      ),
      platforms: s.list(platformAmong(platforms), { maxItems: NAMES_MAX }),
      dimensions: s.list(Dimension, { maxItems: NAMES_MAX }),
      location: s.nullish(
        s.text("Cities or zip codes; has effect for twitter, youtube-videos and youtube-comments only."),
      ),
      sneak_peek: s.nullish(s.boolean("A preview, once, instead of a continuous search.")),
      follow: s.nullish(NewFollow),
    },
    { id: "NewInsightQuery", isOpen: true },
  );
}

export const QUERY_EXAMPLE = {
  query: {
    keywords: '"electric cars" OR #ev',
    platforms: ["news", "twitter"],
    dimensions: ["textual"],
    follow: { feeds: ["https://news.example.com/rss.xml"] },
  },
};

/** Something to know about a query that is accepted. */
export const QueryWarning = s.response("QueryWarning", QueryWarningSchema, {
  message: s.text("For a person."),
  start: s.nullable(
    s.integer("Of a part of the keywords, where it begins, in UTF-16 code units; otherwise null.", { minimum: 0 }),
  ),
  end: s.nullable(s.integer("Where that part ends, exclusive.", { minimum: 0 })),
  fix: s.nullable(s.text("The whole keywords as they are to be written; null if there is no such form.")),
});

/** Of keywords as another tool would take them. */
export const WARNING_EXAMPLE = {
  message: "NOT is read as -. A - directly before a word excludes it.",
  start: 8,
  end: 11,
  fix: "kestrel -jobs",
};

const Follow = s.response("Follow", FollowSchema, {
  feeds: s.list(s.text()),
  subreddits: s.list(s.text()),
  pages: s.list(s.text()),
  organisations: s.list(s.text()),
});

export const Query = s.response("InsightQuery", InsightQuerySchema, {
  keywords: s.text(),
  platforms: s.list(Platform),
  dimensions: s.list(Dimension),
  location: s.nullable(s.text()),
  sneak_peek: s.boolean(),
  follow: s.nullable(Follow),
});

/** A query, from when it was given until the next one was. */
export const InsightVersion = s.response("InsightVersion", InsightVersionSchema, {
  version: s.integer("1, and one more with each change of the query.", { minimum: 1 }),
  at: s.moment("When it was given. What is posted from then on is collected by it."),
  created_by: s.from("author", s.nullable(CreatedBy)),
  keywords: s.text(),
  platforms: s.list(Platform),
  location: s.nullable(s.text()),
  follow: s.nullable(Follow),
});

const FOLLOW_EXAMPLE = {
  feeds: ["https://news.example.com/rss.xml"],
  subreddits: [],
  pages: [],
  organisations: [],
};

/** Two queries, of which the second one has added words. */
export const VERSIONS_EXAMPLE = [
  {
    version: 1,
    at: "2026-01-31T11:50:00.000Z",
    created_by: CREATED_BY_EXAMPLE,
    keywords: '"electric cars"',
    platforms: ["news", "twitter"],
    location: null,
    follow: FOLLOW_EXAMPLE,
  },
  {
    version: 2,
    at: "2026-01-31T11:58:00.000Z",
    created_by: { user_id: 4, key_id: 7, name: "Bob Lee" },
    keywords: '"electric cars" OR #ev',
    platforms: ["news", "twitter"],
    location: null,
    follow: FOLLOW_EXAMPLE,
  },
];
