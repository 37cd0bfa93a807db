import type { Json } from "@hourglass/runtime";
import { type Count, type CountName, type PostingDraft, toCount } from "../posting-draft.js";
import { defined } from "../schemas.js";
import { type LinkedinMetadata, type LinkedinNames, type LinkedinPost, readContent } from "./api.js";

/** What LinkedIn states of a post in other resources. */
export interface AboutPost {
  readonly metadata: LinkedinMetadata | undefined;
  readonly shareCount: Count | undefined;
  readonly names: LinkedinNames;
}

/** LinkedIn's reactions by the counts of a posting; it no longer offers MAYBE. */
const REACTIONS = {
  like_count: "LIKE",
  praise_count: "PRAISE",
  appreciation_count: "APPRECIATION",
  empathy_count: "EMPATHY",
  interest_count: "INTEREST",
  maybe_count: "MAYBE",
} as const satisfies Partial<Record<CountName, string>>;

/** A post of LinkedIn as a posting; what LinkedIn does not state is absent. */
export function toPosting(post: LinkedinPost, about: AboutPost): PostingDraft {
  const unfolded = post.commentary === undefined ? undefined : unfold(post.commentary);
  return {
    socialId: post.id,
    url: `https://www.linkedin.com/feed/update/${post.id}/`,
    postedAt: post.publishedAt ?? post.createdAt,
    ...(unfolded !== undefined && { text: unfolded.text, tags: unfolded.tags, taggedUsers: namesIn(unfolded) }),
    type: typeOf(post),
    ...authorOf(post, about),
    counts: countsOf(about),
    moreInfo: moreInfoOf(post, unfolded, about),
  };
}

function namesIn({ mentions }: UnfoldedText): string[] {
  return mentions.map(({ name }) => name);
}

/** What a post shows beside its text, such as `article`. */
function typeOf({ content = {}, reshareContext }: LinkedinPost): string {
  return Object.keys(content)[0] ?? (reshareContext === undefined ? "text" : "repost");
}

function authorOf({ author }: LinkedinPost, { names }: AboutPost): Pick<PostingDraft, "author"> {
  if (author === undefined) return {};
  const isOrganization = author.startsWith("urn:li:organization:");
  if (!isOrganization) return { author: { id: author } };
  const { vanityName: username, localizedName: name } = names;
  return { author: { id: author, type: "organization", ...defined({ username, name }) } };
}

function countsOf({ metadata, shareCount }: AboutPost): NonNullable<PostingDraft["counts"]> {
  const { reactionSummaries: reactions, commentSummary: comments } = metadata ?? {};
  const kinds = Object.entries(REACTIONS).map(([name, kind]) => [name, reactionsOf(metadata, kind)]);
  return defined({
    ...(Object.fromEntries(kinds) as Partial<Record<CountName, Count>>),
    reaction_total_count: reactions && toCount(reactions.reduce((sum, { count }) => sum + BigInt(count), 0n)),
    comment_count: comments?.count ?? comments?.commentCount,
    share_count: shareCount,
  });
}

function reactionsOf(metadata: LinkedinMetadata | undefined, kind: string): Count | undefined {
  return metadata?.reactionSummaries?.find(({ reactionType }) => reactionType === kind)?.count;
}

function moreInfoOf(post: LinkedinPost, unfolded: UnfoldedText | undefined, about: AboutPost): Record<string, Json> {
  const { mentions = [] } = unfolded ?? {};
  return {
    ...shownOf(post),
    ...(mentions.length > 0 && { mentions: mentions.map((each) => ({ ...each })) }),
    ...defined({
      visibility: post.visibility,
      edited: post.lifecycleStateInfo?.isEditedByAuthor,
      last_modified_at: post.lastModifiedAt === undefined ? undefined : new Date(post.lastModifiedAt).toISOString(),
      entertainment_count: reactionsOf(about.metadata, "ENTERTAINMENT"),
      demo: post.demo,
    }),
  };
}

/** What a post shows beside its text, as far as it is words. */
function shownOf({ content, reshareContext }: LinkedinPost): Record<string, Json> {
  const { article, media, multiImage, poll, reference } = readContent(content);
  return defined<Record<string, Json | undefined>>({
    title: article?.title ?? media?.title ?? poll?.question,
    article: article && defined(article),
    media: media && defined(media),
    images: multiImage?.images?.map((image) => defined(image)),
    poll: poll && pollOf(poll),
    reference: reference?.id,
    reshare: reshareContext && defined(reshareContext),
  }) as Record<string, Json>;
}

function pollOf({ question, options }: NonNullable<ReturnType<typeof readContent>["poll"]>): Json {
  return defined({ question, options: options?.map((option) => defined(option)) });
}

/** A text of LinkedIn, unfolded. */
interface UnfoldedText {
  readonly text: string;
  readonly tags: readonly string[];
  readonly mentions: readonly Mention[];
}

interface Mention {
  readonly name: string;
  readonly urn: string;
}

/** A tag `{hashtag|\#|kestrel}`, a mention `@[Name](urn)`, an escaped sign, or a tag without braces. */
const PARTS =
  /\{hashtag\|\\?[#＃]\|((?:\\.|[^}\\]){1,300})\}|@\[((?:\\.|[^\]\\]){1,300})\]\(([^)]{1,200})\)|\\([\\|{}@[\]()<>#*_~])|(?<![\p{L}\p{N}_])#([\p{L}\p{N}_]+)/gu;

/** Reads LinkedIn's "little text" as people see it. */
export function unfold(littleText: string): UnfoldedText {
  const tags: string[] = [];
  const mentions: Mention[] = [];
  const text = littleText.replaceAll(PARTS, (...found) => {
    const [, tag, name, urn = "", sign, plain = ""] = found as (string | undefined)[];
    if (sign !== undefined) return sign;
    if (name !== undefined) {
      const shown = withoutEscapes(name);
      mentions.push({ name: shown, urn });
      return shown;
    }
    const own = tag === undefined ? plain : withoutEscapes(tag);
    tags.push(own);
    return `#${own}`;
  });
  return { text, tags, mentions };
}

function withoutEscapes(text: string): string {
  return text.replaceAll(/\\(.)/gu, "$1");
}
