import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";

/** A received span. */
export interface ReceivedSpan {
  /** Name of the sending process. */
  service: string;
  traceId: string;
  id: string;
  /** Empty for the root of a trace. */
  parentId: string;
  name: string;
  kind: SpanKindName;
  failed: boolean;
  attributes: Record<string, unknown>;
}

const KINDS = ["unspecified", "internal", "server", "client", "producer", "consumer"] as const;
type SpanKindName = (typeof KINDS)[number];
const STATUS_ERROR = 2;

/** Receives traces by OTLP over HTTP in protobuf, like a collector. */
export class TraceCollector {
  readonly spans: ReceivedSpan[] = [];

  private constructor(private readonly server: Server) {}

  static async listen(): Promise<TraceCollector> {
    const server = createServer();
    const collector = new TraceCollector(server);
    server.on("request", (req: IncomingMessage, res) => {
      void bodyOf(req).then((body) => {
        const wanted = req.method === "POST" && req.url === "/v1/traces";
        if (wanted) collector.spans.push(...spansOf(body));
        res.writeHead(wanted ? 200 : 404, { "content-type": "application/x-protobuf" }).end();
      });
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return collector;
  }

  /** Value of OTEL_EXPORTER_OTLP_ENDPOINT. */
  get endpoint(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, "close");
  }
}

async function bodyOf(req: IncomingMessage): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  for await (const chunk of req as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The spans of an ExportTraceServiceRequest, by the field numbers of OTLP's proto files. */
function spansOf(body: Uint8Array): ReceivedSpan[] {
  return messages(body, 1).flatMap((ofResource) => {
    const service = String(messages(ofResource, 1).map(attributesIn(1))[0]?.["service.name"]);
    return messages(ofResource, 2)
      .flatMap((ofScope) => messages(ofScope, 2))
      .map((span) => toSpan(span, service));
  });
}

function toSpan(bytes: Uint8Array, service: string): ReceivedSpan {
  const fields = fieldsOf(bytes);
  const text = (no: number, encoding: "hex" | "utf8") => Buffer.from(bytesAt(fields, no)).toString(encoding);
  const status = messages(bytes, 15)[0] ?? new Uint8Array();
  return {
    service,
    traceId: text(1, "hex"),
    id: text(2, "hex"),
    parentId: text(4, "hex"),
    name: text(5, "utf8"),
    kind: KINDS[Number(fields.get(6)?.[0] ?? 0)] ?? "unspecified",
    failed: Number(fieldsOf(status).get(3)?.[0] ?? 0) === STATUS_ERROR,
    attributes: attributesIn(9)(bytes),
  };
}

function attributesIn(no: number): (bytes: Uint8Array) => Record<string, unknown> {
  return (bytes) => {
    const pairs = messages(bytes, no).map((pair) => {
      const key = Buffer.from(bytesAt(fieldsOf(pair), 1)).toString();
      return [key, valueOf(messages(pair, 2)[0] ?? new Uint8Array())] as const;
    });
    return Object.fromEntries(pairs);
  };
}

/** An AnyValue: a text, a list, or a number. */
function valueOf(bytes: Uint8Array): unknown {
  const fields = fieldsOf(bytes);
  if (fields.has(1)) return Buffer.from(bytesAt(fields, 1)).toString();
  const [list] = messages(bytes, 5);
  return list === undefined ? Number([...fields.values()][0]?.[0]) : messages(list, 1).map(valueOf);
}

type Fields = Map<number, (Uint8Array | bigint | string | number)[]>;

function messages(bytes: Uint8Array, no: number): Uint8Array[] {
  return (fieldsOf(bytes).get(no) ?? []).filter((value) => value instanceof Uint8Array);
}

function bytesAt(fields: Fields, no: number): Uint8Array {
  const value = fields.get(no)?.[0];
  return value instanceof Uint8Array ? value : new Uint8Array();
}

function fieldsOf(bytes: Uint8Array): Fields {
  const reader = new BinaryReader(bytes);
  const fields: Fields = new Map();
  while (reader.pos < reader.len) {
    const [no, type] = reader.tag();
    fields.set(no, [...(fields.get(no) ?? []), read(reader, type)]);
  }
  return fields;
}

function read(reader: BinaryReader, type: WireType): Uint8Array | bigint | string | number {
  switch (type) {
    case WireType.LengthDelimited:
      return reader.bytes();
    case WireType.Varint:
      return reader.int64();
    case WireType.Bit64:
      return reader.fixed64();
    case WireType.Bit32:
      return reader.fixed32();
    default:
      throw new Error(`OTLP has no fields of wire type ${type}`);
  }
}
