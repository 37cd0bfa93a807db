import {
  create,
  createRegistry,
  type DescField,
  type DescMessage,
  type Message,
  type MessageInitShape,
  type MessageShape,
} from "@bufbuild/protobuf";
import { createValidator, type Violation } from "@bufbuild/protovalidate";
import { file_hourglass_options_v1_rules as ourRules } from "@hourglass/proto/options/v1/rules";
import { AppError, type FieldViolation } from "../../errors/app-error.js";
import { giveAtMost } from "../../errors/sentences.js";
import { LoopPace } from "../../process/loop-pace.js";
import { boundsOf, type FieldBound } from "./message-tally.js";
import { sentenceOf } from "./rule-sentences.js";

/**
 * RE2 in JavaScript, the validator's default, takes a hundred times as long as the native engine. The patterns are
 * constants of our proto files, and must match in linear time in both engines.
 */
const patterns = new Map<string, RegExp>();

function regexMatch(pattern: string, text: string): boolean {
  let compiled = patterns.get(pattern);
  if (compiled === undefined) {
    compiled = new RegExp(pattern, "u");
    patterns.set(pattern, compiled);
  }
  return compiled.test(text);
}

const options = { regexMatch, registry: createRegistry(ourRules) };
const validator = createValidator(options);
const firstOnly = createValidator({ ...options, failFast: true });

/** A message that may have more values is checked up to its first mistake: each takes as long to tell as ten to check. */
const EXPLAINED_VALUES_MAX = 10_000;

/**
 * Returns the violations of the rules in the message's proto file, as paths of proto field names and sentences that
 * say what to do. The first part of the id of a message-level rule names its field: `contents.mixed` is about
 * `contents`. What is far too long is not examined: then only that is returned.
 */
export function findViolations<D extends DescMessage>(schema: D, message: MessageShape<D>): FieldViolation[] {
  const size = new MessageSize();
  size.add(schema, message, "");
  if (size.violations.length > 0) return size.violations;
  const result = (size.values > EXPLAINED_VALUES_MAX ? firstOnly : validator).validate(schema, message);
  if (result.kind === "valid") return [];
  if (result.kind === "error")
    throw new AppError("internal", "The request could not be checked. Try again later.", { cause: result.error });
  return result.violations.map(toFieldViolation);
}

/** Longer texts that also have twice the length of their rule are not examined: counting and matching takes time. */
const EXAMINED_LENGTH_MAX = 100_000;

/** Measures what the check of a message would take, without looking into its texts. */
class MessageSize {
  values = 0;
  /** Lists that are too long, and texts that are far too long. */
  readonly violations: FieldViolation[] = [];

  add(schema: DescMessage, message: Message, prefix: string): void {
    this.values += schema.fields.length;
    for (const bound of extensibleOf(schema)) {
      const { field, itemsMax, message: part } = bound;
      const value = valueOf(message, field);
      if (value === undefined) continue;
      const path = prefix + field.name;
      if (itemsMax === undefined) {
        if (part !== undefined) this.add(part, value as Message, `${path}.`);
        else this.addText(bound, value, path);
      } else if (Array.isArray(value)) this.addList(bound, value, path);
    }
  }

  private addList(bound: FieldBound, items: readonly unknown[], path: string): void {
    const { itemsMax = items.length, message: part } = bound;
    this.values += items.length;
    if (items.length > itemsMax) {
      this.violations.push({ field: path, message: giveAtMost(itemsMax, "item") });
      return;
    }
    for (const [index, item] of items.entries()) {
      if (part !== undefined) this.add(part, item as Message, `${path}[${index}].`);
      else this.addText(bound, item, `${path}[${index}]`);
    }
  }

  private addText({ textMax }: FieldBound, value: unknown, path: string): void {
    if (textMax === undefined || typeof value !== "string") return;
    if (value.length > EXAMINED_LENGTH_MAX && value.length > 2 * textMax) {
      this.violations.push({ field: path, message: giveAtMost(textMax, "character") });
    }
  }
}

const extensible = new WeakMap<DescMessage, readonly FieldBound[]>();

/** The fields of a message that can be of any size. */
function extensibleOf(schema: DescMessage): readonly FieldBound[] {
  let known = extensible.get(schema);
  if (known === undefined) {
    const all = [...boundsOf(schema).values()];
    known = all.filter((bound) => (bound.itemsMax ?? bound.textMax ?? bound.message) !== undefined);
    extensible.set(schema, known);
  }
  return known;
}

/** Undefined for a message, or a part of a choice, that is not set. */
function valueOf(message: Message, { localName, oneof }: DescField): unknown {
  const fields = message as unknown as Readonly<Record<string, unknown>>;
  if (oneof === undefined) return fields[localName];
  const choice = fields[oneof.localName] as { case?: string; value?: unknown };
  return choice.case === localName ? choice.value : undefined;
}

/** A list of texts that has more characters is checked in parts. */
const WHOLE_LENGTH_MAX = 262_144;
const PART_LENGTH = 65_536;
/** As much of a text as the rules on its message, and not on the text itself, can ask for. */
const OUTLINE_LENGTH = 100;
/** People read no more. */
const EXPLAINED_MAX = 1000;

/**
 * Like findViolations, for a message of any size: its long lists are checked in parts, between which the event loop
 * serves others. Twenty megabytes of texts take a tenth of a second, and of URLs half a second.
 */
export async function findViolationsInTurns<D extends DescMessage>(
  schema: D,
  message: MessageShape<D>,
): Promise<FieldViolation[]> {
  const long = extensibleOf(schema).filter(({ field, itemsMax }) => {
    const items = itemsMax === undefined ? undefined : valueOf(message, field);
    return Array.isArray(items) && items.length <= (itemsMax ?? 0) && lengthOf(items) > WHOLE_LENGTH_MAX;
  });
  if (long.length === 0) return findViolations(schema, message);
  const fields = { ...(message as unknown as Readonly<Record<string, unknown>>) };
  for (const { field } of long) fields[field.localName] = (fields[field.localName] as unknown[]).map(outlineOf);
  const isIn = (field: DescField, path: string) => path.startsWith(`${field.name}[`);
  const found = findViolations(schema, create(schema, fields as MessageInitShape<D>));
  const violations = found.filter(({ field: path }) => !long.some(({ field }) => isIn(field, path)));
  const pace = new LoopPace();
  for (const { field } of long) {
    const items = valueOf(message, field) as readonly unknown[];
    for (let start = 0; start < items.length && violations.length < EXPLAINED_MAX;) {
      const part = items.slice(start, endOfPart(items, start));
      const alone = create(schema, { [field.localName]: part } as MessageInitShape<D>);
      const wrong = findViolations(schema, alone).filter(({ field: path }) => isIn(field, path));
      violations.push(...wrong.map((violation) => inWhole(violation, field, start)));
      start += part.length;
      await pace.step();
    }
  }
  return violations;
}

function inWhole({ field: path, message }: FieldViolation, { name }: DescField, start: number): FieldViolation {
  const end = path.indexOf("]");
  const index = Number(path.slice(name.length + 1, end));
  return { field: `${name}[${start + index}${path.slice(end)}`, message };
}

function endOfPart(items: readonly unknown[], start: number): number {
  let length = 0;
  for (let end = start; end < items.length; end++) {
    length += lengthOfItem(items[end]);
    if (length > PART_LENGTH) return end + 1;
  }
  return items.length;
}

function lengthOf(items: readonly unknown[]): number {
  return items.reduce<number>((sum, item) => sum + lengthOfItem(item), 0);
}

/** The characters of an item that is a text, or a message whose texts stand in its own fields or choices. */
function lengthOfItem(item: unknown): number {
  if (typeof item === "string") return item.length;
  if (typeof item !== "object" || item === null) return 0;
  let length = 0;
  for (const value of Object.values(item) as unknown[]) {
    const text = isChoice(value) ? value.value : value;
    if (typeof text === "string") length += text.length;
  }
  return length;
}

/** The item with the beginnings of its texts. */
function outlineOf(item: unknown): unknown {
  if (typeof item === "string") return item.slice(0, OUTLINE_LENGTH);
  if (typeof item !== "object" || item === null) return item;
  const outlined = Object.entries(item as Record<string, unknown>).map(([name, value]) => [
    name,
    isChoice(value)
      ? { ...value, value: outlineOf(value.value) }
      : typeof value === "string"
        ? outlineOf(value)
        : value,
  ]);
  return Object.fromEntries(outlined) as unknown;
}

function isChoice(value: unknown): value is { readonly case: string; readonly value: unknown } {
  return typeof value === "object" && value !== null && "case" in value;
}

function toFieldViolation(violation: Violation): FieldViolation {
  const path = violation.field.map((step) => {
    switch (step.kind) {
      case "list_sub":
        return `[${step.index}]`;
      case "map_sub":
        return `[${JSON.stringify(step.key)}]`;
      case "oneof":
        return `.${step.name}`;
      case "extension":
        return `.${step.typeName}`;
      default:
        return `.${step.name}`;
    }
  });
  // A rule on a message has no path of its own; the first part of its id names the field of the message.
  if (violation.rule.length === 0 && violation.field.at(-1)?.kind !== "oneof") {
    path.push(`.${violation.ruleId.split(".")[0] ?? ""}`);
  }
  return { field: path.join("").replace(/^\./, ""), message: sentenceOf(violation) };
}
