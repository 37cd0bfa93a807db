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
import { mediaType } from "../http/headers.js";
import { jsonReply, type Reply } from "../http/reply.js";
import type { RevisedResponses } from "../http/response-cache.js";
import type { Endpoint, RouteContext } from "../http/route.js";
import { refusal } from "../json/field-errors.js";
import { flag, fromCursor } from "../json/fields.js";
import {
  fromImport,
  importMessages,
  inRows,
  inTurns,
  readRows,
  toErasePostingsRequest,
  toListPostingsRequest,
} from "../json/posting.js";
import type { Clients } from "../services.js";
import { insightEndpoints, POSTING_PLACES } from "./insights.js";

const CSV = "text/csv";
const IMPORTED_TYPES = ["application/x-ndjson", CSV];

/** Time for storing an import, in milliseconds: at least, and for each posting. The largest one ends in four minutes. */
const IMPORT_TIMEOUT_MS = 60_000;
const POSTING_TIMEOUT_MS = 20;

/** Reading, importing and erasing postings. */
export class PostingRoutes {
  readonly endpoints: readonly Endpoint[];

  constructor(
    private readonly service: Clients["insight"],
    /** The platforms of this server. */
    private readonly platforms: readonly string[],
    private readonly cached: RevisedResponses,
  ) {
    this.endpoints = insightEndpoints(POSTING_PLACES, {
      erasePostings: { handle: (context) => this.erase(context) },
      listPostings: { handle: (context) => this.list(context) },
      importPostings: {
        body: "chunks",
        types: IMPORTED_TYPES,
        handle: (context, body) => this.import(context, body),
      },
    });
  }

  private async erase(context: RouteContext): Promise<Reply> {
    const violations: Violations = [];
    const query = { fields: context.query(violations), known: this.platforms };
    const request = toErasePostingsRequest(query, violations);
    const { deleted } = await this.service.erasePostings(request, context.options());
    return jsonReply(200, { deleted: Number(deleted) });
  }

  private async list(context: RouteContext): Promise<Reply> {
    const violations: Violations = [];
    const fields = context.query(violations);
    const platforms = context.queryValues("platform");
    const query = { id: context.pathId, page: context.page(fields), fields, platforms, known: this.platforms };
    const request = toListPostingsRequest(query, violations);
    const list = (knownRevision = "") => this.service.listPostings({ ...request, knownRevision }, context.options());
    if (violations.length > 0) throw await refusal(violations, list);
    return this.cached.reply(context, list, ({ postings, nextCursor }) => ({
      postings: postings.map(toPostingJson),
      next_cursor: fromCursor(nextCursor),
    }));
  }

  private async import(context: RouteContext, body: readonly Uint8Array[]): Promise<Reply> {
    const { req } = context.request;
    const isCsv = mediaType(req.headers["content-type"]) === CSV;
    const options = readOptions(context, isCsv);
    const header = { id: context.pathId, match: options.match, idempotencyKey: context.idempotencyKey };
    const pace = new LoopPace();
    const step = () => pace.step();
    const chunks = inTurns(body, step);
    const rows = isCsv ? readCsv(chunks, options.layout) : readNdjson(chunks, await this.platformsOfInsight(context));
    const read = await readRows(rows, isCsv, step);
    try {
      const messages = importMessages(header, read.postings, step);
      const timeoutMs = IMPORT_TIMEOUT_MS + POSTING_TIMEOUT_MS * read.postings.length;
      const stored = await this.service.importPostings(messages, context.options(timeoutMs));
      return jsonReply(200, fromImport(stored, { match: options.match, ...(isCsv ? { leftOut: read } : {}) }));
    } catch (error) {
      throw isCsv ? inRows(error, read.rowOf) : error;
    }
  }

  /**
   * The platforms of the search, read before the lines of the body, so that lines of other platforms are named together
   * with those that are wrong otherwise. Undefined for a search that does not exist: the service reports that once the
   * body is right.
   */
  private async platformsOfInsight(context: RouteContext): Promise<readonly Platform[] | undefined> {
    try {
      const { insight } = await this.service.getInsight({ id: context.pathId }, context.options());
      return insight?.query?.platforms;
    } catch (error) {
      if (error instanceof AppError && error.kind === "not-found") return undefined;
      throw error;
    }
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
