import type { DescMessage, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { PAGE_LIMIT_DEFAULT, type CallOptions } from "@hourglass/runtime";
import * as z from "zod";
import { jsonReply, type Reply } from "../http/reply.js";
import type { Revised, RevisedResponses } from "../http/response-cache.js";
import type { Answer, Content, Endpoint, Media, RouteContext } from "../http/route.js";
import { writerOf } from "./conversion.js";
import { messageOf } from "./input.js";
import * as s from "./schema.js";

/** Headers of responses that the document describes once. */
const LOCATION = { Location: { $ref: "#/components/headers/Location" } };
const ETAG = { ETag: { $ref: "#/components/headers/ETag" } };
export const RETRY_AFTER = { "Retry-After": { $ref: "#/components/headers/RetryAfter" } };

/** Headers of files of which a range can be read. */
export const ACCEPT_RANGES = {
  "Accept-Ranges": { description: "`bytes`, where a range can be asked for.", schema: { type: "string" } },
};
export const CONTENT_RANGE = {
  "Content-Range": { description: "Which bytes of how many.", schema: { type: "string" } },
};

/** Content that is JSON. */
export function json(schema: z.ZodType, example?: unknown): Content {
  return { "application/json": { schema, ...(example === undefined ? {} : { example }) } };
}

/** Content that is JSON, with several examples, each by a name. */
export function jsonWith(schema: z.ZodType, examples: NonNullable<Media["examples"]>): Content {
  return { "application/json": { schema, examples } };
}

/** Content of a media type that is no JSON. */
export function textOf(type: string, description?: string, keywords: s.Keywords = {}): Content {
  return {
    [type]: { schema: z.string().meta({ ...(description === undefined ? {} : { description }), ...keywords }) },
  };
}

/** A response with the location of the new record. */
export function created(description: string, content: Content): Answer {
  return { description, content, headers: LOCATION };
}

type Described = Pick<Endpoint, "answers" | "failures">;

/** A record by its id. */
export function aRecord(description: string, content: Content): Described {
  return { answers: { 200: { description, content } }, failures: [404] };
}

/** A record that was changed, with its new tag. */
export function aChange(content: Content): Described {
  return { answers: { 200: { description: "The changed record.", content, headers: ETAG } }, failures: [404] };
}

/** A record that takes time to reach its end, which the caller can wait for. */
export function anAwaitedRecord(description: string, content: Content, headers: Answer["headers"] = {}): Described {
  return {
    answers: { 200: { description, content, headers: { ...RETRY_AFTER, ...headers } } },
    failures: [400, 404, 504],
  };
}

type Id = { readonly id: bigint };

/** The end of a record. */
export const GONE = { answers: { 204: { description: "It is gone." } }, failures: [404] } as const;

/** The end of a record, which `erase` brings about. */
export function aDeletion(erase: (record: Id, options: CallOptions) => Promise<unknown>) {
  return {
    ...GONE,
    handle: async (context: RouteContext): Promise<Reply> => {
      await erase({ id: context.pathId }, context.options());
      return { status: 204 };
    },
  } as const;
}

/** A page of a list: its entries, and the cursor of the next page. */
export function pageOf<D extends DescMessage>(id: string, desc: D, entries: s.Shape): s.MessageObject<D> {
  const cursor = s.text("`cursor` of the next page; null on the last one.");
  return s.response(id, desc, { ...entries, next_cursor: s.nullable(cursor) });
}

interface List<D extends DescMessage, P extends DescMessage> {
  readonly desc: D;
  readonly page: s.MessageObject<P>;
  /** Parameters besides those of a page. */
  readonly more?: s.Shape;
  readonly example?: unknown;
}

interface PlainList<D extends DescMessage, P extends DescMessage> extends List<D, P> {
  /** Gets a page from the service. */
  readonly get: (request: MessageInitShape<D>, options: CallOptions) => Promise<MessageShape<P>>;
}

interface RevisedList<D extends DescMessage, P extends DescMessage> extends List<D, P> {
  /** Gets a page from the service, unless it still has the known revision. */
  readonly get: (
    request: MessageInitShape<D>,
    knownRevision: string,
    options: CallOptions,
  ) => Promise<MessageShape<P> & Revised>;
  readonly revised: RevisedResponses;
}

/** A page of records. */
export function aPage<D extends DescMessage, P extends DescMessage>({ get, ...list }: PlainList<D, P>) {
  const write = writerOf(list.page);
  return {
    ...describePage(list),
    handle: async (context: RouteContext, request: MessageInitShape<D>) =>
      jsonReply(200, write(await get(request, context.options()))),
  } as const;
}

/** A page of records whose revision the service tells: it is read and made again only after a change. */
export function aRevisedPage<D extends DescMessage, P extends DescMessage>(options: RevisedList<D, P>) {
  const { get, revised, ...list } = options;
  const write = writerOf(list.page);
  return {
    ...describePage(list),
    handle: (context: RouteContext, request: MessageInitShape<D>) =>
      revised.reply<MessageShape<P> & Revised>(
        context,
        (knownRevision) => get(request, knownRevision, context.options()),
        write,
      ),
  } as const;
}

function describePage<D extends DescMessage, P extends DescMessage>({ desc, page, more, example }: List<D, P>) {
  return {
    description: "Newest first.",
    input: messageOf(desc, { query: s.request(desc, { ...PAGE, ...more }) }),
    answers: { 200: { description: "A page.", content: json(page, example) } },
    failures: [400],
  } as const;
}

/** The parameters of a page; the document describes them once. */
export const PAGE = {
  limit: shared("Limit", s.integer("How many entries at most.", { default: PAGE_LIMIT_DEFAULT })),
  cursor: shared(
    "Cursor",
    s.text("`next_cursor` of the page before; absent for the first page. No other text is one (400)."),
  ),
};

/** The parameter of a read that waits. */
export const WAIT = {
  wait: shared(
    "Wait",
    s.integer("Holds the answer until the record has reached its end, or so many seconds have passed.", { minimum: 0 }),
  ),
};

/** A parameter of several routes, which refer to it by its name. */
function shared(parameter: string, property: s.Property): s.Property {
  return s.withKeywords(s.optional(property), { parameter });
}
