import {
  create,
  createRegistry,
  getOption,
  type DescField,
  type DescMessage,
  type Message,
  type MessageShape,
} from "@bufbuild/protobuf";
import { createValidator, type Validator, type Violation } from "@bufbuild/protovalidate";
import {
  field as fieldOption,
  message as messageOption,
} from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { file_hourglass_options_v1_rules as ourRules } from "@hourglass/proto/options/v1/rules";
import { AppError, type FieldViolation, VIOLATIONS_MAX } from "../../errors/app-error.js";
import { giveAtMost } from "../../errors/sentences.js";
import { LoopPace } from "../../process/event-loop.js";
import { boundsOf, type FieldBound } from "./message-size.js";
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
const EXPLAINED_VALUES_MAX = 2000;

/**
 * Returns the violations of the rules in the message's proto file, as paths of proto field names and sentences that
 * say what to do. The first part of the id of a message-level rule names its field: `contents.mixed` is about
 * `contents`. What is far too long is not examined: then only that is returned.
 */
export function findViolations<D extends DescMessage>(schema: D, message: MessageShape<D>): FieldViolation[] {
  return checkMeasured(sizeOf(schema, message), schema, message);
}

function checkMeasured(size: MessageSize, schema: DescMessage, message: Message): FieldViolation[] {
  if (size.violations.length > 0) return size.violations;
  return check(size.values > EXPLAINED_VALUES_MAX ? firstOnly : validator, schema, message);
}

function check(by: Validator, schema: DescMessage, message: Message): FieldViolation[] {
  const result = by.validate(schema, message);
  if (result.kind === "valid") return [];
  if (result.kind === "error")
    throw new AppError("internal", "The request could not be checked. Try again later.", { cause: result.error });
  return result.violations.map(toFieldViolation);
}

/** Longer texts that also have twice the length of their rule are not examined: counting and matching takes time. */
const EXAMINED_LENGTH_MAX = 100_000;

/** Checking a value, or telling what is wrong with it, takes as long as checking a text of so many characters. */
const VALUE_WEIGHT = 256;

/** Measures what the check of a message would take, without looking into its texts. */
class MessageSize {
  values = 0;
  /** Characters of all texts. */
  private length = 0;
  /** Lists that are too long, and texts that are far too long. */
  readonly violations: FieldViolation[] = [];

  get weight(): number {
    return VALUE_WEIGHT * this.values + this.length;
  }

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
    if (typeof value !== "string") return;
    this.length += value.length;
    if (textMax === undefined) return;
    if (value.length > EXAMINED_LENGTH_MAX && value.length > 2 * textMax) {
      this.violations.push({ field: path, message: giveAtMost(textMax, "character") });
    }
  }
}

function sizeOf(schema: DescMessage, message: Message): MessageSize {
  const size = new MessageSize();
  size.add(schema, message, "");
  return size;
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

/** A message that weighs more is checked in parts. */
const WHOLE_WEIGHT = 262_144;
const PART_WEIGHT = 65_536;
/** As much of a text as the rules on its message, and not on the text itself, can ask for. */
const OUTLINE_LENGTH = 100;

/** A list that is checked in parts. */
interface LongList {
  /** From the message to the list, through messages that are not in lists. */
  readonly path: readonly DescField[];
  /** The path as a caller writes it. */
  readonly name: string;
  readonly items: readonly unknown[];
  /** Of the items; undefined if they are no messages. */
  readonly message: DescMessage | undefined;
}

/**
 * Like findViolations, for a message of any size: its long lists are checked in parts, between which the event loop
 * serves others, until more than VIOLATIONS_MAX are found. Twenty megabytes of texts take a tenth of a second, and of URLs
 * half a second.
 */
export async function findViolationsInParts<D extends DescMessage>(
  schema: D,
  message: MessageShape<D>,
): Promise<FieldViolation[]> {
  const size = sizeOf(schema, message);
  const long = size.violations.length > 0 || size.weight <= WHOLE_WEIGHT ? [] : longListsIn(schema, message);
  if (long.length === 0) return checkMeasured(size, schema, message);
  const pace = new LoopPace();
  const ofItems: FieldViolation[] = [];
  for (const list of long) {
    for (let start = 0; start < list.items.length && ofItems.length <= VIOLATIONS_MAX;) {
      await pace.step();
      const end = endOfPart(list, start);
      ofItems.push(...violationsOfPart(schema, list, { start, end }));
      start = end;
    }
  }
  await pace.step();
  const isCutShort = ofItems.length > VIOLATIONS_MAX;
  const rest = long.reduce<Message>(
    (outlined, list) => withItems(outlined, list.path, outlineOfList(list, isCutShort)),
    message,
  );
  const ofRest = check(validator, schema, rest).filter(({ field }) => !long.some((list) => isIn(list, field)));
  return [...ofRest, ...ofItems];
}

function longListsIn(schema: DescMessage, message: Message, outer: readonly DescField[] = []): LongList[] {
  return extensibleOf(schema).flatMap(({ field, itemsMax, message: part }) => {
    const value = valueOf(message, field);
    if (value === undefined) return [];
    const path = [...outer, field];
    if (itemsMax === undefined) return part === undefined ? [] : longListsIn(part, value as Message, path);
    if (!Array.isArray(value)) return [];
    const name = path.map((step) => step.name).join(".");
    const list = { path, name, items: value as unknown[], message: part };
    return endOfPart(list, 0) < value.length ? [list] : [];
  });
}

function endOfPart({ items, message }: Pick<LongList, "items" | "message">, start: number): number {
  let weight = 0;
  for (let end = start; end < items.length; end++) {
    weight += weightOfItem(message, items[end]);
    if (weight > PART_WEIGHT) return end + 1;
  }
  return items.length;
}

function weightOfItem(schema: DescMessage | undefined, item: unknown): number {
  if (schema === undefined) return VALUE_WEIGHT + (typeof item === "string" ? item.length : 0);
  return sizeOf(schema, item as Message).weight;
}

function violationsOfPart(
  schema: DescMessage,
  list: LongList,
  { start, end }: { readonly start: number; readonly end: number },
): FieldViolation[] {
  const alone = create(schema, initOf(list.path, list.items.slice(start, end)));
  const wrong = findViolations(schema, alone).filter(({ field }) => isIn(list, field));
  return wrong.map(({ field, message }) => {
    const behind = field.indexOf("]", list.name.length);
    const index = start + Number(field.slice(list.name.length + 1, behind));
    return { field: `${list.name}[${index}${field.slice(behind)}`, message };
  });
}

function isIn({ name }: LongList, field: string): boolean {
  return field.startsWith(`${name}[`);
}

/** A message that has nothing but the list. */
function initOf([field, ...inner]: readonly DescField[], items: readonly unknown[]): Record<string, unknown> {
  if (field === undefined) return {};
  return fieldWith(field, inner.length === 0 ? items : initOf(inner, items));
}

/** A copy of the message that has other items in the list. */
function withItems(message: Message, [field, ...inner]: readonly DescField[], items: readonly unknown[]): Message {
  if (field === undefined) return message;
  const value = inner.length === 0 ? items : withItems(valueOf(message, field) as Message, inner, items);
  return { ...message, ...fieldWith(field, value) };
}

/** A field, or part of a choice, of a message. */
function fieldWith({ localName, oneof }: DescField, value: unknown): Record<string, unknown> {
  return oneof === undefined ? { [localName]: value } : { [oneof.localName]: { case: localName, value } };
}

/** What the rules on the list and on the messages around it look at; the items themselves have been checked. */
function outlineOfList({ items, path }: LongList, isCutShort: boolean): readonly unknown[] {
  const list = path.at(-1);
  const { cel = [], type } = (list && getOption(list, fieldOption)) ?? {};
  const { unique = false, minItems = 0n } = type?.case === "repeated" ? type.value : {};
  const isOfInterest = cel.length > 0 || path.some(({ parent }) => getOption(parent, messageOption).cel.length > 0);
  if (isCutShort || !(unique || isOfInterest)) return items.slice(0, Number(minItems)).map(outlineOf);
  return unique ? items : items.map(outlineOf);
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
