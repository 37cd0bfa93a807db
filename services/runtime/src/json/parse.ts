import { visit } from "jsonc-parser";

/** Position where a text stops being JSON; both counted from 1. */
interface Place {
  line: number;
  column: number;
}

/** Longer texts are not parsed again only to locate the error. In UTF-16 code units. */
const SEARCHED_MAX = 4 * 1024 * 1024;

/** A text that is not JSON; `message` is a complete sentence that gives the position. */
export class MalformedJson extends Error {}

/** Bytes that are not UTF-8. */
export class NotUtf8 extends Error {}

/** Decodes UTF-8. Throws NotUtf8. */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw new NotUtf8("not UTF-8", { cause: error });
  }
}

export interface ParseOptions {
  /** Throws for what is no JSON. */
  readonly parse?: (text: string) => unknown;
  /** In longer texts, the place of the mistake is not searched. */
  readonly searchedMax?: number;
}

/** Parses JSON. Throws MalformedJson, whose message begins with `subject`, for example "The body". */
export function parseJson(
  text: string,
  subject: string,
  { parse = JSON.parse, searchedMax = SEARCHED_MAX }: ParseOptions = {},
): unknown {
  try {
    return parse(text);
  } catch {
    // The engine's message quotes the text and gives the position only for some errors.
    const place = text.length <= searchedMax ? firstMistake(text) : undefined;
    const remedy = place === undefined ? "" : `: correct it at line ${place.line}, column ${place.column}`;
    throw new MalformedJson(`${subject} is not valid JSON${remedy}.`);
  }
}

/** Ends the search at the first error, since later ones mostly follow from it. */
class Found extends Error {
  constructor(readonly place: Place) {
    super("found");
  }
}

function firstMistake(text: string): Place | undefined {
  try {
    visit(
      text,
      {
        onError: (...[, , , line, character]) => {
          throw new Found({ line: line + 1, column: character + 1 });
        },
      },
      { disallowComments: true, allowTrailingComma: false },
    );
  } catch (error) {
    // For a text that is nested too deeply, the position is unknown.
    return error instanceof Found ? error.place : undefined;
  }
  return undefined;
}
