import type { EntityType } from "../../text/gazetteers.js";
import { type LabelSet, labelsOf } from "../../text/classification.js";
import { ModelError } from "../../models/model.js";
import { OWN_SETTINGS_FILE } from "../../models/pull.js";

type Aliases = Readonly<Record<string, string | null>>;

/** Maps types of OntoNotes and other corpora to those of the interface. */
const ENTITY_ALIASES: Aliases = {
  per: "PERSON",
  organization: "ORG",
  organisation: "ORG",
  corporation: "ORG",
  group: "ORG",
  location: "PLACE",
  facility: "FAC",
  creative_work: "WORK_OF_ART",
  misc: null,
  date: null,
  time: null,
  percent: null,
  money: null,
  quantity: null,
  ordinal: null,
  cardinal: null,
};

const ENTITY_TYPES: readonly (EntityType | "PLACE")[] = [
  ...(["PERSON", "NORP", "FAC", "ORG", "GPE", "LOC", "PRODUCT", "EVENT", "WORK_OF_ART", "LAW", "LANGUAGE"] as const),
  "PLACE",
];

/** The meaning of a tag inside an entity. */
export interface EntityTag {
  /** PLACE stands for GPE, LOC or FAC in corpora that do not distinguish them. */
  type: EntityType | "PLACE";
  /** Whether the word is the first of its entity, whatever precedes it. */
  begins: boolean;
}

/** A model whose labels are mapped to the product's. */
export interface LabeledModel {
  name: string;
  labels: readonly string[];
  /** The mapping of the operator, or the built-in one of a known model. */
  given: Readonly<Record<string, string | null>> | undefined;
}

/**
 * The product's label for each label of the model, or null if there is none. Throws ModelError for an unknown label.
 */
export function mapLabels(labels: LabelSet, model: LabeledModel): (string | null)[] {
  const expected = labelsOf(labels);
  const known: Aliases = { ...labels.aliases, ...Object.fromEntries(expected.map((label) => [label, label])) };
  return mapAll(labels.analysis, model, { expected, known });
}

/**
 * The entity type for each tag of the model, and whether the tag begins an entity; null outside of entities. Throws
 * ModelError for an unknown tag.
 */
export function mapTags(model: LabeledModel): (EntityTag | null)[] {
  const given = model.given ?? {};
  const tags = model.labels.map((tag) => (Object.hasOwn(given, tag) ? (given[tag] ?? "O") : tag));
  const stems = tags.map((tag) => /^(?:([BILUES])[-_])?(.+)$/s.exec(tag)?.slice(1) ?? []);
  const own = Object.fromEntries(ENTITY_TYPES.map((type) => [normalized(type), type]));
  const separate = stems.some(([, stem = ""]) => normalized(stem) === "gpe");
  const known: Aliases = { ...ENTITY_ALIASES, ...own, o: null, ...(separate ? {} : { loc: "PLACE" }) };
  const types = stems.map(([, stem = ""]) => stem);
  const mapped = mapAll("topic", { ...model, labels: types }, { expected: ENTITY_TYPES, known });
  return mapped.map((name, i) => {
    const type = ENTITY_TYPES.find((each) => each === name);
    return type === undefined ? null : { type, begins: /^[BUS]$/.test(stems[i]?.[0] ?? "") };
  });
}

const normalized = (label: string): string =>
  label
    .toLowerCase()
    .trim()
    .replace(/[\s-]+/g, "_");

function mapAll(
  type: string,
  { name, labels, given = {} }: LabeledModel,
  { expected, known }: { expected: readonly string[]; known: Aliases },
): (string | null)[] {
  const strange: string[] = [];
  const mapped = labels.map((label) => {
    const ours = Object.hasOwn(given, label) ? given[label] : known[normalized(label)];
    if (ours === undefined || (ours !== null && !expected.includes(ours))) strange.push(label);
    return ours ?? null;
  });
  const found = new Set(mapped.filter((label) => label !== null)).size;
  if (strange.length === 0 && found >= (type === "topic" ? 1 : 2)) return mapped;
  const all = [...new Set(labels)].join(", ");
  const advice = `Say in ${OWN_SETTINGS_FILE} in its folder what they mean: { "labels": { "${strange[0] ?? labels[0] ?? ""}": "${expected[0] ?? ""}" } }`;
  throw new ModelError(
    "refused",
    `Model ${name} does not fit ${type}: its labels are ${all}, expected are ${expected.join(", ")}. ${advice}, null for what has no counterpart; or configure another model.`,
  );
}
