import { existsSync, openSync, readSync } from "node:fs";
import { ScalarType, type DescField, type DescMessage, type DescMethod } from "@bufbuild/protobuf";
import { AppError, boundsOf } from "@hourglass/runtime";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { publishedMethods, publishedServices } from "../services.js";
import { openGrpcCall, startBothPorts, type BothPorts } from "../testing/both-ports.js";
import { AUTHORIZATION, createFakeClients, type FakeHandlers } from "../testing/gateway-under-test.js";
import { messageBytesMaxOf } from "./messages.js";

const BODY_BYTES_MAX = 20_971_520;
const WORST_BYTES = 20_000_000;
/** In one turn of the event loop, as much may be done as takes so many looks at 20 MB, which take a fifth of a second. */
const LOOKS_MAX = 1;
const MEMORY_MAX = 200_000_000;
const THREAD_TIMES = "/proc/thread-self/schedstat";

/** A body of as many small values as fit in it, or as many as the rules allow. */
interface Worst {
  readonly what: string;
  readonly items?: number;
  readonly json?: (bytes: number) => string;
  readonly binary?: (bytes: number) => Buffer;
}

/** Of an item, with what separates it from the next one. */
const ITEM_BYTES = { json: 3, binary: 2 };
const UNKNOWN_NUMBER = 1000;

/** What costs a decoder most: empty items in each list of a message and its parts, unknown fields, and many levels. */
function worstOf({ input }: DescMethod): Worst[] {
  const unknown = (bytes: number) => filled(Buffer.concat([varint(UNKNOWN_NUMBER * 8 + 2), varint(0)]), bytes);
  const inUnknown = (open: string, item: string) => (bytes: number) =>
    `{"unknown":${open}${item.repeat(bytes / item.length)}`;
  const ofLists = listsIn(input).flatMap((path): Worst[] => {
    const list = path.at(-1);
    const items = list && boundsOf(list.parent).get(list.number)?.itemsMax;
    const body = {
      what: `${path.map(({ jsonName }) => jsonName).join(".")} of empty items`,
      json: (bytes: number) => jsonList(path, bytes),
      binary: (bytes: number) => binaryList(path, bytes),
    };
    return [body, { ...body, what: `${body.what}, as many as allowed`, ...(items === undefined ? {} : { items }) }];
  });
  return [
    ...ofLists,
    { what: "unknown fields", binary: unknown, json: (bytes) => `${inUnknown("[", "{},")(bytes)}{}]}` },
    { what: "unknown fields in each other", json: (bytes) => inUnknown("", "[")(bytes) },
  ];
}

/** The ways to the lists in a message. */
function listsIn(schema: DescMessage): DescField[][] {
  return schema.fields.flatMap((field) => {
    const inPart = field.message === undefined ? [] : listsIn(field.message).map((path) => [field, ...path]);
    return field.fieldKind === "list" ? [[field], ...inPart] : inPart;
  });
}

function jsonList(path: readonly DescField[], bytes: number): string {
  const item = itemOf(path.at(-1));
  const items = `[${`${item},`.repeat(bytes / (item.length + 1))}${item}]`;
  return path.reduceRight((inner, { jsonName, fieldKind }, index) => {
    const isItem = fieldKind === "list" && index < path.length - 1;
    return `{"${jsonName}":${isItem ? `[${inner}]` : inner}}`;
  }, items);
}

function itemOf(list: DescField | undefined): string {
  if (list?.message !== undefined) return "{}";
  return isText(list) ? '""' : "0";
}

function isText(list: DescField | undefined): boolean {
  return list?.fieldKind === "list" && list.listKind === "scalar" && list.scalar === ScalarType.STRING;
}

function binaryList(path: readonly DescField[], bytes: number): Buffer {
  const list = path.at(-1);
  const number = list?.number ?? 0;
  const isPacked = list?.message === undefined && !isText(list);
  const items = isPacked
    ? field(number, Buffer.alloc(bytes))
    : filled(Buffer.concat([varint(number * 8 + 2), varint(0)]), bytes);
  return path.slice(0, -1).reduceRight((inner, { number: outer }) => field(outer, inner), items);
}

function field(number: number, value: Buffer): Buffer {
  return Buffer.concat([varint(number * 8 + 2), varint(value.length), value]);
}

function filled(item: Buffer, bytes: number): Buffer {
  return Buffer.alloc(Math.floor(bytes / item.length) * item.length, item);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return Buffer.from([...bytes, rest]);
}

function framed(message: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

/** All requests of a stream are read. */
async function readAll(requests: AsyncIterable<unknown>): Promise<never> {
  for await (const request of requests) expect(request).toBeDefined();
  throw new AppError("unimplemented", "Nothing is stored here.");
}

const HANDLERS: FakeHandlers = {
  insight: { importPostings: readAll, validatePostings: readAll },
  media: { uploadFile: readAll },
};
const SETTINGS = { bodyBytesMax: BODY_BYTES_MAX, rateLimitPerMinute: 0 };

let ports: BothPorts;

beforeAll(async () => {
  ports = await startBothPorts(HANDLERS, SETTINGS);
});

afterAll(() => ports.stop());

const METHODS = publishedServices(createFakeClients({})).flatMap(({ service }) => publishedMethods(service));
const pathOf = ({ parent, name }: DescMethod) => `/${parent.typeName}/${name}`;

async function post(method: DescMethod, type: string, body: Buffer): Promise<number> {
  const headers = { authorization: AUTHORIZATION, "content-type": type };
  const response = await fetch(ports.gateway.url + pathOf(method), { method: "POST", headers, body });
  await response.arrayBuffer();
  return response.status;
}

/** Ends with the code of its answer. A connection with many refused messages would be closed. */
function callGrpc(method: DescMethod, message: Buffer): Promise<number> {
  const { session, stream } = openGrpcCall(ports.grpcPort, pathOf(method));
  const answered = new Promise<number>((resolve, reject) => {
    session.on("error", reject);
    let code: number | undefined;
    const note = (received: Record<string, unknown>) => (code = Number(received["grpc-status"] ?? code));
    stream.on("response", note).on("trailers", note).on("error", reject);
    stream.on("close", () => (code === undefined ? reject(new Error("no answer")) : resolve(code)));
    stream.resume();
    stream.end(framed(message));
  });
  return answered.finally(() => session.destroy());
}

interface Cost {
  /** Of processor time of this thread in one turn of the event loop, in milliseconds. */
  readonly turnMs: number;
  readonly memory: number;
}

/** The longest turn of the event loop during some work, and the memory that the process took more than before. */
async function costOf(work: () => Promise<unknown>): Promise<Cost> {
  const before = process.memoryUsage.rss();
  let [turnMs, rss, isOver] = [0, before, false];
  let last = threadMs();
  const turn = () => {
    if (isOver) return;
    const now = threadMs();
    turnMs = Math.max(turnMs, now - last);
    last = now;
    rss = Math.max(rss, process.memoryUsage.rss());
    setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  isOver = true;
  return { turnMs, memory: rss - before };
}

/** Opened by this thread, whose times it gives. Undefined on systems other than Linux. */
const threadTimes = existsSync(THREAD_TIMES) ? openSync(THREAD_TIMES, "r") : undefined;
const TEXT = Buffer.alloc(100);

/** Processor time of this thread so far, which the load of the machine does not change; without Linux, of the process. */
function threadMs(): number {
  if (threadTimes === undefined) {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  }
  const length = readSync(threadTimes, TEXT, 0, TEXT.length, 0);
  return Number(TEXT.toString("latin1", 0, length).split(" ", 1)[0]) / 1e6;
}

/** In milliseconds of processor time. */
const look = lookMs();

/** How long this machine takes to look at each byte of such a body. */
function lookMs(): number {
  const body = Buffer.alloc(WORST_BYTES, "x");
  const times = Array.from({ length: 5 }, () => {
    const begin = threadMs();
    let sum = 0;
    for (const byte of body) sum += byte === 0x22 ? 1 : 0;
    expect(sum).toBe(0);
    return threadMs() - begin;
  });
  return Math.min(...times);
}

describe.each(METHODS.map((method) => ({ method, name: method.name })))("the worst bodies for $name", ({ method }) => {
  const isStream = method.methodKind !== "unary";
  const largest = messageBytesMaxOf(method, BODY_BYTES_MAX);
  const size = largest === BODY_BYTES_MAX ? WORST_BYTES : largest - 2000;
  const connectType = isStream ? "application/connect+" : "application/";
  const inFrame = (message: Buffer) => (isStream ? framed(message) : message);
  const doors = [
    { door: "Connect in JSON", send: (body: Buffer) => post(method, `${connectType}json`, inFrame(body)), of: "json" },
    { door: "Connect", send: (body: Buffer) => post(method, `${connectType}proto`, inFrame(body)), of: "binary" },
    {
      door: "gRPC-web in JSON",
      send: (body: Buffer) => post(method, "application/grpc-web+json", framed(body)),
      of: "json",
    },
    {
      door: "gRPC-web",
      send: (body: Buffer) => post(method, "application/grpc-web+proto", framed(body)),
      of: "binary",
    },
    { door: "gRPC", send: (body: Buffer) => callGrpc(method, body), of: "binary" },
  ] as const;

  it.each(doors)("stop nobody by $door", async ({ send, of }) => {
    await send(Buffer.from(of === "json" ? "{}" : "")); // what the first call has to load is no matter of its body
    for (const { what, items, [of]: make } of worstOf(method)) {
      if (make === undefined) continue;
      const body = Buffer.from(make(items === undefined ? size : items * ITEM_BYTES[of]));
      const { turnMs, memory } = await costOf(() => send(body));
      expect(turnMs, `${what}: of processor time in one turn`).toBeLessThan(LOOKS_MAX * look);
      expect(memory, `${what}: memory`).toBeLessThan(MEMORY_MAX);
    }
  });
});
