import type { Token } from "../../text/tokens.js";

/** Nouns that say nothing before `of`, where the noun behind it is meant: `a wave of protests`, `the state of the roads`. */
const PARTITIVES: ReadonlySet<string> = new Set(
  (
    "state case act wave waves flood stream host crop batch burst surge pang pangs stroke breed brand caliber calibre layer layers pool product blend mix " +
    "fruit fruits segments segment sea ocean army mountain mountains string spate stack stacks pack packs bag bags heart power cost kingdom realm realms " +
    "face eve course pages page body bodies art list lists string series season chapter gallery parade avalanche barrage torrent cloud clouds dash pinch splash " +
    "hour hours inch ray rays glimmer tower wall circle club band gang crowd herd flock swarm bucket cup cups glass plate bowl bottle box boxes can cans " +
    "jar packet tube sheet trail tide web maze wealth feast festival display demonstration expression acts cases images image picture pictures role title " +
    "process speed rate story stories tales"
  ).split(" "),
);

/** Whether a noun alone only says how much or which kind there is of what follows. */
export function isPartitive(tokens: readonly Token[], at: number): boolean {
  const [noun, of, next] = [tokens[at], tokens[at + 1], tokens[at + 2]];
  return noun !== undefined && of?.lower === "of" && next?.newLine === false && PARTITIVES.has(noun.lower);
}

/** Parts of the body that posts mostly mean as a manner of speaking: `out of my head`, `my heart goes out to you`. */
const BODY: ReadonlySet<string> = new Set(
  "head heads heart hearts eye soul souls finger fingers chin jaw guts gut lap fist fists nerve nerves tongue butt ass".split(
    " ",
  ),
);
/** Words of pain and of doctors, beside which the part of the body is meant. */
const ACHING =
  /^(?:hurt|hurts|hurting|ache|aches|aching|sore|pain|pains|painful|swollen|bleed|bleeding|broken|injured|injury|surgery|transplant|attack|failure|itch|itches|itching|itchy|infection|doctor|surgeon)$/;
const REACH = 4;

/** Whether a part of the body is a manner of speaking: no word near it says that it hurts or is ill. */
export function isFigurative(tokens: readonly Token[], at: number): boolean {
  if (!BODY.has(tokens[at]?.lower ?? "")) return false;
  return !tokens.slice(Math.max(0, at - REACH), at + REACH + 1).some(({ lower }) => ACHING.test(lower));
}
