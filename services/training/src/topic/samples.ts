import {
  beginTag,
  ENTITY_CLASSES,
  type EntityClass,
  featuresOf,
  tagText,
  type Token,
  type TokenFeatures,
} from "@hourglass/analysis/topic";
import type { EntityRow, Mention } from "./rows.js";

/** A sentence prepared for training: features, and for each token the tags that its corpus allows, as bits. */
export interface Sample {
  readonly features: readonly TokenFeatures[];
  readonly allowed: Uint16Array;
}

/** Prepares the rows for training; sentences without tokens are left out. */
export function samplesOf(rows: readonly EntityRow[]): Sample[] {
  return rows.map(sampleOf).filter((sample) => sample.features.length > 0);
}

function sampleOf(row: EntityRow): Sample {
  const tokens = tagText(row.text);
  return { features: featuresOf(tokens), allowed: allowedTags(row, tokens) };
}

/**
 * Outside a mention, a token may be "no entity" or of any class that its corpus does not mark; inside, it has the class
 * of the mention. Tokens belong to a mention by overlap, because corpora split words differently from the tokenizer.
 */
function allowedTags(row: EntityRow, tokens: readonly Token[]): Uint16Array {
  const allowed = new Uint16Array(tokens.length).fill(outsideMask(row.annotated));
  for (const mention of row.mentions) markMention(mention, tokens, allowed);
  return allowed;
}

function outsideMask(annotated: readonly string[]): number {
  let mask = 1;
  ENTITY_CLASSES.forEach((entityClass, index) => {
    const marked = entityClass === "PLACE" ? annotated.includes("GPE") : annotated.includes(entityClass);
    if (!marked) mask |= 3 << beginTag(index);
  });
  return mask;
}

function markMention({ start, end, types }: Mention, tokens: readonly Token[], allowed: Uint16Array): void {
  const index = ENTITY_CLASSES.indexOf(classOf(types));
  let begun = false;
  tokens.forEach((token, at) => {
    if (token.end <= start || token.start >= end) return;
    allowed[at] = 1 << (begun ? beginTag(index) + 1 : beginTag(index));
    begun = true;
  });
}

function classOf(types: readonly string[]): EntityClass {
  if (types.includes("GPE")) return "PLACE";
  const found = ENTITY_CLASSES.find((entityClass) => types.includes(entityClass));
  if (!found) throw new Error(`no class for an entity of the types ${types.join(", ")}`);
  return found;
}
