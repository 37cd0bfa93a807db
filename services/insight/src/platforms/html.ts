import { type Token, type TokenHandler, Tokenizer, TokenizerMode } from "parse5";

/** HTML as plain text. */
interface HtmlText {
  /** Blocks are separated by line breaks, paragraphs by a blank line; runs of white space are one space. */
  text: string;
  /** Values of `src` of its pictures, in order, without pictures of one or two pixels. */
  images: string[];
  /** What these pictures show, as `alt` says it. */
  descriptions: string[];
}

/** Elements whose content is not text for readers, and how the tokenizer finds their end. */
const UNREAD: ReadonlyMap<string, Tokenizer["state"]> = new Map([
  ["script", TokenizerMode.SCRIPT_DATA],
  ["style", TokenizerMode.RAWTEXT],
  ["noscript", TokenizerMode.RAWTEXT],
  ["noembed", TokenizerMode.RAWTEXT],
  ["noframes", TokenizerMode.RAWTEXT],
  ["iframe", TokenizerMode.RAWTEXT],
  ["xmp", TokenizerMode.RAWTEXT],
  ["textarea", TokenizerMode.RCDATA],
  ["title", TokenizerMode.RCDATA],
]);
const PARAGRAPHS = new Set(["p", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "ul", "ol", "table", "pre"]);
const LINES = new Set([
  ...["address", "article", "aside", "br", "dd", "div", "dl", "dt", "figcaption", "figure", "footer", "header", "hr"],
  ...["li", "main", "nav", "section", "tbody", "tfoot", "thead", "tr"],
]);
const CELLS = new Set(["td", "th"]);
const TRACKER_PIXELS_MAX = 2;

/**
 * Plain text of HTML of any quality, in linear time: only the tokenizer is used, because building a tree takes quadratic
 * time for deeply nested elements. Content of scripts and styles is dropped, and entities are decoded.
 */
export function htmlToText(html: string): HtmlText {
  const reader = new TextReader();
  const tokenizer = new Tokenizer({}, reader);
  reader.enter = (mode) => {
    tokenizer.state = mode;
  };
  tokenizer.write(html, true);
  return { text: tidy(reader.parts.join("")), images: reader.images, descriptions: reader.descriptions };
}

/** Collects text and pictures from the tokens of a document. */
class TextReader implements TokenHandler {
  readonly parts: string[] = [];
  readonly images: string[] = [];
  readonly descriptions: string[] = [];
  /** How many `pre` are open, in which line breaks stay. */
  private kept = 0;
  /** Sets the mode of the tokenizer. */
  enter: (mode: Tokenizer["state"]) => void = () => undefined;
  private unread: string | undefined;

  onStartTag(token: Token.TagToken): void {
    const mode = UNREAD.get(token.tagName);
    if (mode !== undefined && !token.selfClosing) {
      this.unread = token.tagName;
      this.enter(mode);
      return;
    }
    if (token.tagName === "img") this.addImage(token);
    if (token.tagName === "pre" && !token.selfClosing) this.kept++;
    this.separate(token.tagName);
  }

  onEndTag({ tagName }: Token.TagToken): void {
    if (tagName === this.unread) this.unread = undefined;
    else this.separate(tagName);
    if (tagName === "pre" && this.kept > 0) this.kept--;
  }

  onCharacter({ chars }: Token.CharacterToken): void {
    if (this.unread === undefined) this.parts.push(this.spaced(chars));
  }

  onWhitespaceCharacter({ chars }: Token.CharacterToken): void {
    if (this.unread === undefined) this.parts.push(this.spaced(chars));
  }

  readonly onNullCharacter = (): void => undefined;
  readonly onComment = (): void => undefined;
  readonly onDoctype = (): void => undefined;
  readonly onEof = (): void => undefined;

  private spaced(chars: string): string {
    return this.kept > 0 ? chars : chars.replaceAll(/\s+/g, " ");
  }

  private separate(tagName: string): void {
    if (PARAGRAPHS.has(tagName)) this.parts.push("\n\n");
    else if (LINES.has(tagName)) this.parts.push("\n");
    else if (CELLS.has(tagName)) this.parts.push(" ");
  }

  private addImage({ attrs }: Token.TagToken): void {
    const valueOf = (name: string): string | undefined => attrs.find((attribute) => attribute.name === name)?.value;
    const isTracker = [valueOf("width"), valueOf("height")].some(
      (size) => size !== undefined && Number.parseInt(size, 10) <= TRACKER_PIXELS_MAX,
    );
    const source = valueOf("src");
    if (source === undefined || isTracker) return;
    this.images.push(source);
    const description = valueOf("alt")?.trim() ?? "";
    if (description !== "") this.descriptions.push(description);
  }
}

/** Collapses spaces and blank lines. */
function tidy(text: string): string {
  return text
    .split("\n")
    .map((line) => line.replaceAll(/[\s\u200b]+/g, " ").trim())
    .join("\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}
