import type { Timestamp } from "@bufbuild/protobuf/wkt";
import type { Platform } from "@hourglass/proto/insight/v1/platform";
import type { Posting } from "@hourglass/proto/insight/v1/posting";
import { toDate } from "@hourglass/runtime/json";
import { POSTING_FIELDS, type PostingField, type PostingValue } from "./fields.js";
import { holderOf } from "./holders.js";
import { PLATFORM } from "./platform.js";

/** A value of the posting object. */
export type PostingJsonValue = string | readonly string[] | Readonly<Record<string, unknown>> | null;

/** The posting object of the interface: every key, null if the value is unavailable. */
export type PostingJson = Readonly<Record<string, PostingJsonValue>>;

type Get = (posting: Posting) => PostingJsonValue;

function getterOf({ field, value, index }: PostingField): Get {
  const holder = holderOf(field);
  const name = field.localName;
  const write = WRITERS[value];
  return (posting) => {
    const message: object | undefined = holder === undefined ? posting : posting[holder];
    const held = (message as Record<string, unknown> | undefined)?.[name];
    const found = index === undefined ? held : (held as readonly string[])[index];
    return found === undefined ? null : write(found);
  };
}

/** Fields of the contract have the type that the kind of value implies. */
const WRITERS: Readonly<Record<PostingValue, (value: unknown) => PostingJsonValue>> = {
  text: String,
  texts: (value) => ((value as string[]).length === 0 ? null : (value as string[])),
  platform: (value) => PLATFORM.of(value as Platform),
  date: (value) => toPostDate(toDate(value as Timestamp)),
  time: (value) => toPostTime(toDate(value as Timestamp)),
  count: String,
  object: (value) => (value === "" ? null : (JSON.parse(value as string) as Readonly<Record<string, unknown>>)),
};

const ENTRIES = POSTING_FIELDS.map((field) => [field.key, getterOf(field)] as const);

/** The posting object of a posting. */
export function toPostingJson(posting: Posting): PostingJson {
  const json: Record<string, PostingJsonValue> = {};
  for (const [key, get] of ENTRIES) json[key] = get(posting);
  return json;
}

/** `M/D/YYYY`, in UTC. */
export function toPostDate(date: Date): string {
  return `${date.getUTCMonth() + 1}/${date.getUTCDate()}/${date.getUTCFullYear()}`;
}

/** `HH:MM:SS`, in UTC. */
export function toPostTime(date: Date): string {
  return date.toISOString().slice(11, 19);
}
