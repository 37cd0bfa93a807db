import {
  DEFAULT_PRESET,
  PRESETS,
  readColumnMap,
  readCsv,
  readNdjson,
  toPostingJson,
  type ColumnMap,
  type CsvLayout,
} from "@hourglass/posting";
import type { Platform } from "@hourglass/proto/insight/v1/platform";
import { AppError, giveOneOf, LoopPace } from "@hourglass/runtime";
import {
  MalformedJson,
  parseJson,
  wrong,
  type ObjectReader,
  type Read,
  type Violations,
} from "@hourglass/runtime/json";
import type { Clients } from "../services.js";
import type { RouteContext, Endpoint } from "../http/route.js";
import { mediaType } from "../http/headers.js";
import { jsonReply, type Reply } from "../http/reply.js";
import type { GatewaySettings } from "../config.js";
import { refusal } from "../json/field-errors.js";
import {
  fromImport,
  importMessages,
  inRows,
  inTurns,
  readRows,
  toErasePostingsRequest,
  toListPostingsRequest,
} from "../json/posting.js";
import { flag, fromCursor } from "../json/fields.js";
import { POSTING_PLACES, insightEndpoints } from "./insights.js";
import type { KeptAnswers } from "../http/response-cache.js";

type Service = Clients["insight"];

const CSV = "text/csv";
const IMPORTED_TYPES = ["application/x-ndjson", CSV];

/** Time for storing an import, in milliseconds: at least, and for each posting. The largest one ends in four minutes. */
const IMPORT_TIMEOUT_MS = 60_000;
const POSTING_TIMEOUT_MS = 20;

/** Reading, importing and erasing postings. */
export function postingRoutes(
  { insight: service }: Pick<Clients, "insight">,
  { platforms: known }: Pick<Required<GatewaySettings>, "platforms">,
  kept: KeptAnswers,
): Endpoint[] {
  return insightEndpoints(POSTING_PLACES, {
    erasePostings: {
      handle: async (context) => {
        const violations: Violations = [];
        const request = toErasePostingsRequest({ fields: context.query(violations), known }, violations);
        const { deleted } = await service.erasePostings(request, context.options());
        return jsonReply(200, { deleted: Number(deleted) });
      },
    },
    listPostings: { handle: (context) => listPostings({ service, known, kept }, context) },
    importPostings: {
      body: "chunks",
      types: IMPORTED_TYPES,
      handle: (context, body) => importPostings(service, context, body),
    },
  });
}

async function listPostings(
  {
    service,
    known,
    kept,
  }: { readonly service: Service; readonly known: readonly string[]; readonly kept: KeptAnswers },
  context: RouteContext,
): Promise<Reply> {
  const violations: Violations = [];
  const fields = context.query(violations);
  const platforms = context.queryValues("platform");
  const query = { id: context.pathId, page: context.page(fields), fields, platforms, known };
  const request = toListPostingsRequest(query, violations);
  const list = (knownRevision = "") => service.listPostings({ ...request, knownRevision }, context.options());
  if (violations.length > 0) throw await refusal(violations, list);
  return kept.reply(context, list, ({ postings, nextCursor }) => ({
    postings: postings.map(toPostingJson),
    next_cursor: fromCursor(nextCursor),
  }));
}

async function importPostings(service: Service, context: RouteContext, body: readonly Uint8Array[]): Promise<Reply> {
  const { request } = context;
  const isCsv = mediaType(request.req.headers["content-type"]) === CSV;
  const options = readOptions(context, isCsv);
  const header = { id: context.pathId, match: options.match, idempotencyKey: context.idempotencyKey };
  const platforms = await platformsOf(service, context);
  const pace = new LoopPace(() => request.gateway.importTurns.next(request.userId));
  const step = () => pace.step();
  const chunks = inTurns(body, step);
  const read = await readRows(isCsv ? readCsv(chunks, options.layout) : readNdjson(chunks, platforms), isCsv, step);
  try {
    const messages = importMessages(header, read.postings, step);
    const timeoutMs = IMPORT_TIMEOUT_MS + POSTING_TIMEOUT_MS * read.postings.length;
    const stored = await service.importPostings(messages, context.options(timeoutMs));
    return jsonReply(200, fromImport(stored, { match: options.match, ...(isCsv ? { leftOut: read } : {}) }));
  } catch (error) {
    throw isCsv ? inRows(error, read.rowOf) : error;
  }
}

/**
 * The platforms of the search, read before the body, so that lines of others are named together with those that are wrong
 * otherwise. Undefined for a search that does not exist, which the service tells once the body is right.
 */
async function platformsOf(service: Service, context: RouteContext): Promise<readonly Platform[] | undefined> {
  try {
    const { insight } = await service.getInsight({ id: context.pathId }, context.options());
    return insight?.query?.platforms;
  } catch (error) {
    if (error instanceof AppError && error.kind === "not-found") return undefined;
    throw error;
  }
}

interface ImportOptions {
  readonly match: boolean;
  readonly layout: CsvLayout;
}

function readOptions(context: RouteContext, isCsv: boolean): ImportOptions {
  const violations: Violations = [];
  const query = context.query(violations);
  const match = query.optional("match", flag) ?? false;
  const layout = isCsv ? readLayout(query) : {};
  if (violations.length > 0) throw AppError.invalid(violations);
  return { match, layout };
}

/** Without a preset and a map, the columns are those of our own exports. */
function readLayout(query: ObjectReader): CsvLayout {
  const map = query.optional("map", columnMap);
  const preset = query.optional("preset", presetName) ?? (map === undefined ? DEFAULT_PRESET : undefined);
  return { map, preset };
}

const presetName: Read<string> = (value, path, violations) =>
  typeof value === "string" && PRESETS.has(value)
    ? value
    : wrong(violations, path, giveOneOf([...PRESETS.keys()], value));

const columnMap: Read<ColumnMap> = (value, path, violations) => {
  try {
    return readColumnMap(parseJson(String(value), "The map"), path, violations);
  } catch (error) {
    if (!(error instanceof MalformedJson)) throw error;
    return wrong(violations, path, error.message);
  }
};
