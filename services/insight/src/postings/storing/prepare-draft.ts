import { mentionsIn, tagsIn } from "../../platforms/text.js";
import type { PostingDraft } from "../../platforms/posting-draft.js";
import type { OwnNotes } from "../../store/records.js";

/** Stored characters of a text, in code points. */
export const TEXT_CHARACTERS_MAX = 100_000;
/** Platforms have clocks of their own, and some state a day only. */
const FUTURE_MS = 24 * 60 * 60_000;

/**
 * The posting as it is stored: the text cut to its greatest length, tags and mentions taken from the text if the
 * platform states none, and without the text that is only matched. What was changed stands in `moreInfo`.
 */
export function prepareDraft({ matchText: _matched, ...draft }: PostingDraft, now: number): PostingDraft {
  const text = cut(draft.text);
  const notes: OwnNotes = {
    ...(text !== draft.text && { text_cut_at: TEXT_CHARACTERS_MAX }),
    ...(draft.postedAt > now + FUTURE_MS && { posted_in_the_future: true }),
  };
  const tags = draft.tags?.length ? draft.tags : tagsIn(text);
  const taggedUsers = draft.taggedUsers?.length ? draft.taggedUsers : mentionsIn(text);
  return {
    ...draft,
    ...(text !== undefined && { text }),
    ...(tags.length > 0 && { tags }),
    ...(taggedUsers.length > 0 && { taggedUsers }),
    ...(Object.keys(notes).length > 0 && { moreInfo: { ...draft.moreInfo, ...notes } }),
  };
}

function cut(text: string | undefined): string | undefined {
  return text === undefined ? undefined : firstCharacters(text, TEXT_CHARACTERS_MAX);
}

/** The first code points of a text. */
export function firstCharacters(text: string, count: number): string {
  // Few texts are that long; a text has at most as many code points as code units.
  return text.length <= count
    ? text
    : Array.from(text.slice(0, 2 * count))
        .slice(0, count)
        .join("");
}
