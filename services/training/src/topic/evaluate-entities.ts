import { type EntityClass, tagEntities, type TaggerModel, tagText } from "@hourglass/analysis/topic";
import { createTally, type Tally, tallyOf } from "./judge.js";
import type { EntityRow, Mention } from "./rows.js";

/** How well entities are found: a find is right when its span is exact and its type among those its mention accepts. */
export interface EntityJudgement {
  overall: Tally;
  byType: Map<string, Tally>;
  bySource: Map<string, Tally>;
}

/** Judges the tagger on labelled sentences. Finds of types that a corpus does not mark do not count against it. */
export function judgeEntities(model: TaggerModel, rows: readonly EntityRow[]): EntityJudgement {
  const judgement: EntityJudgement = { overall: createTally(), byType: new Map(), bySource: new Map() };
  for (const row of rows) judgeRow(model, row, judgement);
  return judgement;
}

function judgeRow(model: TaggerModel, row: EntityRow, { overall, byType, bySource }: EntityJudgement): void {
  const tokens = tagText(row.text);
  const source = tallyOf(bySource, row.source);
  const open = new Set(row.mentions);
  for (const mention of row.mentions)
    for (const tally of [overall, source, tallyOf(byType, nameOf(mention))]) tally.wanted++;
  for (const span of tagEntities(tokens, model)) {
    const types = TYPES[span.entityClass];
    const start = tokens[span.first]?.start ?? 0;
    const end = tokens[span.last]?.end ?? 0;
    if (!types.some((type) => row.annotated.includes(type)) || row.ignored.includes(row.text.slice(start, end)))
      continue;
    const hit = [...open].find(
      (mention) => mention.start === start && mention.end === end && mention.types.some((type) => types.includes(type)),
    );
    const tallies = [overall, source, tallyOf(byType, hit ? nameOf(hit) : types.join("|"))];
    for (const tally of tallies) tally.found++;
    if (!hit) continue;
    for (const tally of tallies) tally.right++;
    open.delete(hit);
  }
}

const TYPES: Record<EntityClass, readonly string[]> = {
  PERSON: ["PERSON"],
  PLACE: ["GPE", "LOC", "FAC"],
  ORG: ["ORG", "NORP"],
  PRODUCT: ["PRODUCT"],
  WORK_OF_ART: ["WORK_OF_ART"],
};

function nameOf({ types }: Mention): string {
  return types.join("|");
}
