import { argmax } from "../../text/argmax.js";
import { logOdds } from "../../text/classification.js";
import { type CoalitionPlan, planCoalitions } from "../../text/explanation/coalitions.js";
import { groupEvenly, rangeOf, spanned, textWithout, type Unit, unitsOf } from "../../text/explanation/units.js";
import { type Features, featurize } from "../../text/ngrams/features.js";
import type { TextDocument } from "../../types.js";
import { ENCODER_TASKS } from "./card.js";
import { type EncodedText, encodingOf, withoutWindow } from "./encoder.js";
import type { Logits } from "./session.js";
import { FRAME, PIECES_MAX } from "./windows.js";

/** What explains a text for every classification. */
interface Excerpts {
  /** The UTF-16 ranges of the units whose credit is asked for, `end` exclusive. */
  readonly units: readonly { readonly start: number; readonly end: number }[];
  readonly plan: CoalitionPlan;
  /** For each coalition, what the models say of the text without the other units. */
  readonly judged: readonly Excerpt[];
}

interface Excerpt {
  readonly logits: Logits;
  /** The n-grams of what is left. */
  readonly features: () => Features;
}

/** An explained text takes about this many times as long as a plain one. */
const TIMES = 12;
/** Up to this many units, each is also left out alone. */
const RESTS_MAX = 20;
/** All coalitions of a text together are at most as long as this many windows. */
const WINDOWS_TOTAL = 48;
/** Of a long text, these many of the most important windows are explained. */
const WINDOWS_MAX = 3;
/** A text with more units is explained by groups of them, the most important of which are taken apart, */
const UNITS_MAX = 48;
/** of this number. */
const GROUPS = 18;

const EXCERPTS = Symbol("excerpts");

/** Computes the encoder's output for parts of encoded documents, for all classifications. */
export const prepareExcerpts = async (documents: readonly TextDocument[]): Promise<void> => {
  for (const document of documents) {
    if (keptExcerpts(document) === undefined) document.set(EXCERPTS, await excerptsIn(document));
  }
};

/** What explains a document; throws if `prepareExcerpts` was not called for it. */
export const excerptsOf = (document: TextDocument): Excerpts => {
  const excerpts = keptExcerpts(document);
  if (excerpts === undefined) throw new Error("the text was not taken apart: call prepareExcerpts first");
  return excerpts;
};

const keptExcerpts = (document: TextDocument): Excerpts | undefined =>
  document.once<Excerpts | undefined>(EXCERPTS, () => undefined);

const excerptsIn = async (document: TextDocument): Promise<Excerpts> => {
  const encoded = encodingOf(document);
  const { encoder, tokens, windows } = encoded;
  const chosen = strongestWindows(encoded);
  const partOfSpeech = taggerOf(encoded);
  const units = await takeApart(encoded, chosen, partOfSpeech);
  const sizeOf = ({ from, to }: Unit): number =>
    encoded.pieces.ids.slice(from, to).reduce((sum, ids) => sum + ids.length, 0);
  const sizes = units.map(sizeOf);
  const framed = (at: number): number => windows[at]!.weight + FRAME;
  const length = windows.reduce((sum, _, at) => sum + framed(at), 0);
  const plan = planCoalitions({
    units: sizes,
    besides: chosen.reduce((sum, at) => sum + framed(at), 0) - sizes.reduce((sum, size) => sum + size, 0),
    budget: Math.min(TIMES * length, WINDOWS_TOTAL * PIECES_MAX),
    restsMax: chosen.length === 1 ? RESTS_MAX : 0,
  });
  const leftOut = plan.coalitions.map((coalition) => units.filter((_, unit) => !coalition[unit]));
  const logits = await encoder.encodeWithout(encoded, leftOut);
  return {
    units: units.map((unit) => rangeOf(tokens, partOfSpeech, unit)),
    plan,
    judged: leftOut.map((left, i) => {
      let features: Features | undefined;
      return {
        logits: logits[i]!,
        features: () => (features ??= featurize(textWithout(document.text, tokens, left))),
      };
    }),
  };
};

const strongestWindows = (encoded: EncodedText): number[] => {
  const all = encoded.windows.map((_, at) => at);
  if (all.length <= WINDOWS_MAX) return all;
  const variants = all.map((at) => withoutWindow(encoded, at));
  return rank(effects(encoded, encoded.logits, variants))
    .slice(0, WINDOWS_MAX)
    .sort((a, b) => a - b);
};

type Tagger = (token: number) => string;

const taggerOf = ({ encoder, pos }: EncodedText): Tagger => {
  const { tags } = encoder.card;
  return (token) => tags.pos[argmax(pos[token] ?? [])] ?? "";
};

/** The units of some windows of a text; where there are too many, groups of them and the units of the strongest groups. */
const takeApart = async (encoded: EncodedText, chosen: readonly number[], partOfSpeech: Tagger): Promise<Unit[]> => {
  const { encoder, tokens, windows } = encoded;
  const own = chosen.map((at) => unitsOf(tokens, partOfSpeech, windows[at]));
  const units = own.flat();
  if (units.length <= UNITS_MAX) return units;
  const groups = own.flatMap((some) => groupEvenly(some, Math.floor(GROUPS / chosen.length)));
  const [nothing, ...alone] = await encoder.encodeWithout(encoded, [
    units,
    ...groups.map((group) => units.filter((unit) => !group.includes(unit))),
  ]);
  let count = groups.length;
  const split = new Set<readonly Unit[]>();
  for (const at of rank(effects(encoded, nothing!, alone))) {
    const group = groups[at]!;
    if (count + group.length - 1 > UNITS_MAX) continue;
    count += group.length - 1;
    split.add(group);
  }
  return groups.flatMap((group) => (split.has(group) ? group : [spanned(group)]));
};

/**
 * How much each variant of a text differs from another in the text's label, in the classification where it differs most,
 * from 0 to 1.
 */
const effects = ({ logits }: EncodedText, other: Logits, variants: readonly Logits[]): number[] => {
  const found = variants.map(() => 0);
  for (const task of ENCODER_TASKS) {
    const label = argmax(logits[task]);
    const before = logOdds(other[task], label);
    const changes = variants.map((variant) => Math.abs(before - logOdds(variant[task], label)));
    const most = Math.max(...changes, Number.MIN_VALUE);
    changes.forEach((change, i) => (found[i] = Math.max(found[i] ?? 0, change / most)));
  }
  return found;
};

/** Indices in descending order of the values. */
const rank = (values: readonly number[]): number[] =>
  values.map((_, i) => i).sort((a, b) => (values[b] ?? 0) - (values[a] ?? 0) || a - b);
