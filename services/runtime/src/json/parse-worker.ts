import type { MessagePort } from "node:worker_threads";
import { decodeUtf8, MalformedJson, NotUtf8, parseJson } from "./parse.js";

export interface ThreadTask {
  readonly bytes: Uint8Array;
  readonly subject: string;
  /** Where the slices of the value are sent to. */
  readonly port: MessagePort;
}

/** What the thread returns, after it has sent all slices: errors lose their class on the way. */
export type ThreadResult = "parsed" | { readonly malformed: string } | "not-utf8";

/** Runs in the parsing thread, called by name. */
export function parse({ bytes, subject, port }: ThreadTask): ThreadResult {
  try {
    for (const slice of slicesOf(parseJson(decodeUtf8(bytes), subject))) port.postMessage(slice);
    return "parsed";
  } catch (error) {
    if (error instanceof NotUtf8) return "not-utf8";
    if (error instanceof MalformedJson) return { malformed: error.message };
    throw error;
  }
}

/**
 * A part of a JSON value on its way to another thread. Receiving a value of twenty megabytes, or of 50,000 names, at once
 * holds the event loop for up to a tenth of a second; a slice takes some milliseconds at most, unless it is one long text.
 */
export type Slice =
  /** The whole value. */
  | { readonly value: unknown }
  /** A list, or an object of these names, begins in the one that began last; `name` is its own if that is an object. */
  | { readonly begin: "list" | "object"; readonly name: string }
  /** Items of the list that began last. */
  | { readonly items: readonly unknown[] }
  /** Members of the object that began last. */
  | { readonly items: readonly unknown[]; readonly names: readonly string[] }
  | { readonly end: true };

/** Characters of a slice, or what takes as long to receive. */
const SLICE_WEIGHT = 262_144;
/** Receiving an object or list takes as long as so many characters, and any other value as long as so many. */
const CONTAINER_WEIGHT = 64;
const VALUE_WEIGHT = 16;

/** Takes a JSON value apart. `JoinedSlices` makes it of the slices again. */
export function* slicesOf(value: unknown): Generator<Slice> {
  if (isContainer(value) && weightOf(value) > SLICE_WEIGHT) yield* slicesOfContainer(value, "");
  else yield { value };
}

function* slicesOfContainer(container: object, name: string): Generator<Slice> {
  const isList = Array.isArray(container);
  yield { begin: isList ? "list" : "object", name };
  const members = isList ? container.entries() : Object.entries(container);
  let [items, names, weight] = [[] as unknown[], [] as string[], 0];
  const slice = (): Slice => {
    const full = isList ? { items } : { items, names };
    [items, names, weight] = [[], [], 0];
    return full;
  };
  for (const [key, item] of members as Iterable<[number | string, unknown]>) {
    const itemName = isList ? "" : String(key);
    const itemWeight = itemName.length + weightOf(item);
    if (isContainer(item) && itemWeight > SLICE_WEIGHT) {
      if (items.length > 0) yield slice();
      yield* slicesOfContainer(item, itemName);
      continue;
    }
    items.push(item);
    names.push(itemName);
    weight += itemWeight;
    if (weight > SLICE_WEIGHT) yield slice();
  }
  if (items.length > 0) yield slice();
  yield { end: true };
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function weightOf(value: unknown): number {
  if (typeof value === "string") return VALUE_WEIGHT + value.length;
  if (!isContainer(value)) return VALUE_WEIGHT;
  let weight = CONTAINER_WEIGHT;
  if (Array.isArray(value)) for (const item of value) weight += weightOf(item);
  else for (const [name, member] of Object.entries(value)) weight += name.length + weightOf(member);
  return weight;
}

type Container = unknown[] | Record<string, unknown>;

/** Makes a value of its slices, which are added in order. */
export class JoinedSlices {
  value: unknown;
  private readonly open: Container[] = [];

  add(slice: Slice): void {
    if ("value" in slice) this.value = slice.value;
    else if ("begin" in slice) {
      const container = slice.begin === "list" ? [] : {};
      const outer = this.open.at(-1);
      if (outer === undefined) this.value = container;
      else put(outer, slice.name, container);
      this.open.push(container);
    } else if ("items" in slice) {
      const container = this.open.at(-1) ?? [];
      const names = "names" in slice ? slice.names : [];
      for (const [index, item] of slice.items.entries()) put(container, names[index] ?? "", item);
    } else this.open.pop();
  }
}

function put(container: Container, name: string, item: unknown): void {
  if (Array.isArray(container)) container.push(item);
  else if (name !== "__proto__") container[name] = item;
  // To assign it would set what the object inherits from.
  else Object.defineProperty(container, name, { value: item, enumerable: true, configurable: true, writable: true });
}
