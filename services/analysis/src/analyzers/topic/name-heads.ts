import type { Entity, EntityType } from "../../text/gazetteers.js";
import type { Token } from "../../text/tokens.js";
import { isCapital, isCapitalized } from "./word-shapes.js";

/** Words that end the names of what is held, of bodies, of houses and of states, and the type of the whole name. */
const HEADS: ReadonlyMap<string, EntityType> = new Map(
  (
    [
      [
        "EVENT",
        "festival championship championships awards olympics marathon tournament expo playoffs cup prix open fair conference summit parade games regatta derby " +
          "earthquake",
      ],
      [
        "ORG",
        "police network party league council foundation society association federation university college academy ministry institute orchestra choir fc " +
          "parliament senate",
      ],
      [
        "FAC",
        "mall market airport stadium arena museum theatre theater cathedral castle palace zoo racecourse speedway plaza",
      ],
      ["GPE", "monarchy empire dynasty kingdom republic province county"],
    ] as const
  ).flatMap(([type, words]) => words.split(" ").map((word): [string, EntityType] => [word, type])),
);

/** Words before the name of a country, of which neither names anything alone: `Miss USA`, `Team GB`. */
const OPENERS: ReadonlyMap<string, EntityType> = new Map([
  ["Miss", "EVENT"],
  ["Team", "ORG"],
]);

/** Types of names with which longer names begin. */
const OPENING: ReadonlySet<EntityType> = new Set(["GPE", "LOC", "FAC", "ORG", "NORP", "EVENT"]);

/** The most words between the name that was found and the head. */
const WORDS_MAX = 3;

/** `Habsburg` `Monarchy`, `Roskilde` `Festival`: the capitalized words up to a head belong to the name. */
export function withHead(tokens: readonly Token[], entity: Entity): Entity {
  const { first, last, type } = entity;
  const opened =
    type === "GPE" && tokens[first]?.newLine === false ? OPENERS.get(tokens[first - 1]?.text ?? "") : undefined;
  if (opened !== undefined) return { ...entity, first: first - 1, type: opened };
  if (!OPENING.has(type) || !isCapital(tokens[first]) || HEADS.has(tokens[last]?.lower ?? "")) return entity;
  let end = last;
  let found: EntityType | undefined;
  for (let at = last + 1; at <= last + WORDS_MAX && isJoined(tokens[at]); at++) {
    const own = HEADS.get(tokens[at]?.lower ?? "");
    // `Halloween Party` is no party, and a league that is known by its cup is held.
    if (own !== undefined && !(type === "EVENT" && own === "ORG")) [end, found] = [at, own];
  }
  return found === undefined || isTitled(tokens, first, end) ? entity : { ...entity, last: end, type: found };
}

function isJoined(token: Token | undefined): boolean {
  return isCapitalized(token) && token?.newLine === false && token.spaced && token.pos !== "VERB";
}

/** The share of capitalized words from which a line is a headline, in which capitals say nothing. */
const TITLED = 0.6;

/** Whether most other words of the line have capitals. */
function isTitled(tokens: readonly Token[], first: number, last: number): boolean {
  let from = first;
  while (from > 0 && tokens[from]?.newLine === false) from--;
  let to = last + 1;
  while (tokens[to]?.newLine === false) to++;
  const others = tokens
    .slice(from, to)
    .filter(({ kind }, at) => kind === "word" && (from + at < first || from + at > last));
  return others.filter(isCapital).length > others.length * TITLED;
}
