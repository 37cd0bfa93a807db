/** A text of LinkedIn, unfolded. */
export interface UnfoldedText {
  readonly text: string;
  readonly tags: readonly string[];
  readonly mentions: readonly Mention[];
}

export interface Mention {
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
