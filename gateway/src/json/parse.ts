import { visit } from "jsonc-parser";

/** Where a text stops being JSON, both from 1. */
interface Place {
  line: number;
  column: number;
}

/** What is longer is not read a second time only to find its mistake. In UTF-16 code units. */
const SEARCHED_MAX = 4 * 1024 * 1024;

/** A text that is not JSON; `message` is a whole sentence that says where. */
export class MalformedJson extends Error {}

/** Parses JSON. Throws MalformedJson, whose sentence begins with `subject`, such as "The body". */
export function parseJson(text: string, subject: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // The engine's own words quote the text, and tell the place only of some mistakes.
    const place = text.length <= SEARCHED_MAX ? firstMistake(text) : undefined;
    const remedy = place === undefined ? "" : `: correct it at line ${place.line}, column ${place.column}`;
    throw new MalformedJson(`${subject} is not valid JSON${remedy}.`);
  }
}

/** Ends the search at the first mistake: those after it mostly follow from it. */
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
    // Nothing else is known of what is nested too deep.
    return error instanceof Found ? error.place : undefined;
  }
  return undefined;
}
