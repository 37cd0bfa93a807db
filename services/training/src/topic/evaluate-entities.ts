import type { Annotation, Entity } from "@hourglass/analysis/topic";
import { createTally, type Tally, tallyOf } from "./judge.js";
import type { EntityRow, Mention } from "./rows.js";

/**
 * Results for entities: a found entity is correct if its span is exact and its type is one that its mention accepts.
 */
export interface EntityJudgement {
  overall: Tally;
  byType: Map<string, Tally>;
  bySource: Map<string, Tally>;
}

/** Evaluates an engine's entities in labelled sentences. Entities of types that a corpus does not mark are ignored. */
export function judgeEntities(
  rows: readonly EntityRow[],
  annotations: readonly Pick<Annotation, "tokens" | "entities">[],
): EntityJudgement {
  const judgement: EntityJudgement = { overall: createTally(), byType: new Map(), bySource: new Map() };
  rows.forEach((row, at) => {
    const annotation = annotations[at];
    if (annotation) judgeRow(row, annotation, judgement);
  });
  return judgement;
}

function judgeRow(
  row: EntityRow,
  { tokens, entities }: Pick<Annotation, "tokens" | "entities">,
  judgement: EntityJudgement,
): void {
  const source = tallyOf(judgement.bySource, row.source);
  const count = (name: string, field: keyof Tally): void => {
    for (const tally of [judgement.overall, source, tallyOf(judgement.byType, name)]) tally[field]++;
  };
  for (const mention of row.mentions) count(nameOf(mention), "wanted");
  const open = new Set(row.mentions);
  for (const entity of entities) {
    const start = tokens[entity.first]?.start ?? 0;
    const end = tokens[entity.last]?.end ?? 0;
    if (!row.annotated.includes(entity.type) || row.ignored.includes(row.text.slice(start, end))) continue;
    const hit = [...open].find((mention) => isRight(mention, start, end, entity));
    const name = hit ? nameOf(hit) : (FALLBACKS[entity.type] ?? entity.type);
    count(name, "found");
    if (!hit) continue;
    count(name, "right");
    open.delete(hit);
  }
}

function isRight(mention: Mention, start: number, end: number, { type }: Entity): boolean {
  return mention.start === start && mention.end === end && mention.types.includes(type);
}

/** The row of the report that counts a wrong entity. */
const FALLBACKS: Readonly<Record<string, string>> = {
  GPE: "GPE|LOC|FAC",
  LOC: "GPE|LOC|FAC",
  FAC: "GPE|LOC|FAC",
  NORP: "ORG|NORP",
};

function nameOf({ types }: Mention): string {
  return types.join("|");
}
