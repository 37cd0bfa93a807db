import { MODEL_CARDS } from "@hourglass/analysis/cards";
import { type Analyzer, AnalyzerStateSchema } from "@hourglass/proto/operation/v1/operation_service";
import { AppError, type ErrorKind, type Principal, type ReadReadiness, readVersion } from "@hourglass/runtime";
import { Spelling } from "@hourglass/runtime/json";
import type { PlatformInfo } from "@hourglass/proto/insight/v1/insight_service";
import type { GatewaySettings } from "../config.js";
import { jsonReply } from "../http/reply.js";
import { route, type Endpoint, type RouteContext } from "../http/route.js";
import type { Clients } from "../services.js";
import { json } from "./answers.js";
import { writerOf } from "./conversion.js";
import { Platform, PlatformInfoJson } from "./platforms.js";
import * as s from "./schema.js";

const language = () => s.list(s.text(), { description: "Their ISO 639-1 codes." });
const limit = (description: string) => s.nullable(s.integer(`${description} Null: no limit.`, { minimum: 1 }));
const days = (description: string) =>
  s.nullable(s.integer(`${description} Null: until it is deleted.`, { minimum: 1 }));

const Limits = s.object(
  "ServerLimits",
  {
    body_bytes: s.integer("Size of the body of a new operation, and of an import."),
    upload_bytes: s.integer("Size of an uploaded file.", { format: "int64" }),
    contents: s.integer("Contents of one operation."),
    text_characters: s.integer("Code points of one text."),
    image_pixels: s.integer("Pixels of a picture, and of a frame of a video."),
    media_seconds: s.integer("Length of sound and video."),
    export_range_days: s.integer("Days of one export."),
    unfinished_operations: limit("Operations of your company that wait or run."),
    unfinished_exports: limit("Exports of your company that wait or run."),
    requests_per_minute: limit("Requests of one user."),
    sign_in_attempts_per_minute: limit("Failed attempts to sign in from one address."),
  },
  "What a request, and a company, may ask for at most.",
);

const Retention = s.object(
  "ServerRetention",
  {
    operations_days: days("After its end, an operation is kept so long."),
    exports_days: days("After it is done, an export is kept so long."),
    unused_files_days: s.integer("A file that no operation uses is kept so long.", { minimum: 1 }),
    postings: s.list(
      s.object("PostingRetention", {
        platform: Platform,
        days: days("Since a poll or an import last had it, a posting is kept so long."),
      }),
    ),
  },
  "How long what belongs to your company is kept.",
);

const AnalysisState = s.enumeration(
  "AnalysisState",
  ["ready", "loading", "missing", "unknown"],
  "`missing`: its results say why; `unknown`: other processes do this work, and none has said how it is, or you may not ask.",
);

const ServerAnalysis = s.object("ServerAnalysis", {
  type: s.text("The analysis; or `reading`, `speech` and `ffmpeg`, which files need."),
  engine: s.nullable(s.text("What carries it out, such as `accurate`; null if unknown.")),
  model: s.nullable(s.text("Id of its model; null if unknown, or if there is none.")),
  model_version: s.nullable(s.text("Version of its model.")),
  state: AnalysisState,
  reason: s.nullable(s.text("Why it is not in order.")),
  cure: s.nullable(s.text("What the operator of the server can do about it.")),
});

const ServerPlatform = s.object("ServerPlatform", {
  platform: Platform,
  state: s.nullable(s.text("As in the list of platforms; null without the product `insight`.")),
  missing: s.nullable(s.text("What is missing, and how to set it.")),
});

const Server = s.object(
  "Server",
  {
    version: s.text("Of the product."),
    revision: s.nullable(s.text("What it was built from; null if its settings do not say.")),
    demo: s.boolean("Whether this is the demo, whose postings are invented."),
    limits: Limits,
    analyses: s.list(ServerAnalysis),
    languages: language(),
    platforms: s.list(ServerPlatform),
    retention: Retention,
  },
  "What this server is, can do and keeps.",
);

const EXAMPLE = {
  version: "0.1.0",
  revision: null,
  demo: false,
  limits: {
    body_bytes: 10_485_760,
    upload_bytes: 104_857_600,
    contents: 100,
    text_characters: 20_000,
    image_pixels: 50_000_000,
    media_seconds: 900,
    export_range_days: 366,
    unfinished_operations: 1_000,
    unfinished_exports: 10,
    requests_per_minute: 600,
    sign_in_attempts_per_minute: null,
  },
  analyses: [
    {
      type: "sentiment-simple",
      engine: "accurate",
      model: "sentiment-simple-encoder",
      model_version: "1",
      state: "ready",
      reason: null,
      cure: null,
    },
    {
      type: "speech",
      engine: null,
      model: null,
      model_version: null,
      state: "missing",
      reason: "Model onnx-community/moonshine-tiny-ONNX is not in MODELS_DIR.",
      cure: "Run npm run models -- pull onnx-community/moonshine-tiny-ONNX.",
    },
  ],
  languages: ["en", "pt"],
  platforms: [
    { platform: "news", state: "waiting", missing: null },
    { platform: "twitter", state: "not_configured", missing: "Set TWITTER_BEARER_TOKEN to collect from twitter." },
  ],
  retention: {
    operations_days: null,
    exports_days: 30,
    unused_files_days: 1,
    postings: [
      { platform: "news", days: null },
      { platform: "twitter", days: 30 },
    ],
  },
};

const Score = s.object("ModelScore", {
  metric: s.text("A share from 0 to 1: of errors, failures and false positives less is better, of the others more."),
  value: s.number(),
  interval: s.nullable(
    s.list(s.number(), { description: "Both ends of the 95 % interval; null if none was computed." }),
  ),
  rows: s.nullable(s.integer("How many texts, pictures or words it was measured on; null if not known.")),
  on: s.text("What it was measured on."),
});

const EngineCard = s.object("ModelEngine", {
  engine: s.text("Such as `accurate`."),
  languages: s.nullable(s.list(s.text(), { description: "ISO 639-1 codes; null where language plays no part." })),
  scores: s.list(Score, { description: "Empty where nothing was, or could be, measured." }),
});

const ModelCard = s.object("ModelCard", {
  analysis: s.text("The analysis; `language`, `speech` and `reading` are parts of others."),
  use: s.text("What it is for."),
  data: s.text("What its models were made of and measured on."),
  known_limits: s.text("What it gets wrong."),
  engines: s.list(EngineCard),
});

const Models = s.object(
  "Models",
  { models: s.list(ModelCard) },
  "What is known of the models that ship with the product.",
);

const MODELS = {
  models: MODEL_CARDS.map(({ analysis, use, data, knownLimits, engines }) => ({
    analysis,
    use,
    data,
    known_limits: knownLimits,
    engines: engines.map(({ scores, ...engine }) => ({
      ...engine,
      scores: scores.map(({ metric, value, interval = null, rows = null, on }) => ({
        metric,
        value,
        interval,
        rows,
        on,
      })),
    })),
  })),
};

const LANGUAGES = [
  ...new Set(MODEL_CARDS.flatMap(({ engines }) => engines.flatMap(({ languages }) => languages ?? []))),
].sort();

export interface ServerOptions extends Pick<Clients, "insight" | "operation"> {
  readonly settings: Required<GatewaySettings>;
  readonly readiness: ReadReadiness;
}

/** What a signed-in user may know of the server, and of its models. */
export function serverRoutes({ insight, operation, settings, readiness }: ServerOptions): Endpoint[] {
  const base = { tag: "System", access: "any" } as const;
  const version = readVersion();
  const fixed = {
    version,
    revision: settings.facts.revision ?? null,
    demo: settings.facts.demo,
    limits: limitsOf(settings),
  };
  return [
    route("GET /api/v2/server", "getServer", "What this server is", {
      ...base,
      description:
        "Its version and limits, which analyses and platforms it has, and how long it keeps what it is given.",
      answers: { 200: { description: "The server.", content: json(Server, EXAMPLE) } },
      handle: async (context) => {
        const [{ dependencies }, platforms] = await Promise.all([readiness(), platformsOf(insight, context, settings)]);
        const states = analyzesHere(dependencies) ? dependencies : await reportedStates(operation, context);
        return jsonReply(200, {
          ...fixed,
          analyses: analysesOf(states),
          languages: LANGUAGES,
          platforms,
          retention: retentionOf(settings),
        });
      },
    }),
    route("GET /api/v2/models", "listModels", "What is known of the models", {
      ...base,
      description:
        "The cards of docs/models.md as data: measured scores by engine, languages, known limits, and the data.",
      answers: { 200: { description: "The cards.", content: json(Models, { models: MODELS.models.slice(0, 1) }) } },
      handle: () => jsonReply(200, MODELS),
    }),
  ];
}

const orNone = (maximum: number) => (maximum === 0 ? null : maximum);

function limitsOf(settings: Required<GatewaySettings>) {
  const { limits } = settings.facts;
  return {
    body_bytes: settings.bodyBytesMax,
    upload_bytes: settings.uploadBytesMax,
    contents: limits.contents,
    text_characters: limits.textCharacters,
    image_pixels: limits.imagePixels,
    media_seconds: limits.mediaSeconds,
    export_range_days: limits.exportRangeDays,
    unfinished_operations: orNone(settings.unfinishedOperationsMax),
    unfinished_exports: orNone(limits.unfinishedExports),
    requests_per_minute: orNone(settings.rateLimitPerMinute),
    sign_in_attempts_per_minute: orNone(settings.signInAttemptsPerMinute),
  };
}

function retentionOf({ facts: { retention }, platforms }: Required<GatewaySettings>) {
  return {
    operations_days: retention.operationsDays ?? null,
    exports_days: orNone(retention.exportsDays),
    unused_files_days: retention.unusedFilesDays,
    postings: platforms.map((platform) => ({ platform, days: retention.postingsDays[platform] ?? null })),
  };
}

/** The states of platforms are for companies with the product that collects from them. */
async function platformsOf(
  insight: Clients["insight"],
  context: RouteContext,
  { platforms }: Required<GatewaySettings>,
): Promise<unknown[]> {
  const nameless = () => platforms.map((platform) => ({ platform, state: null, missing: null }));
  if (!hasInsight(context.request.principal)) return nameless();
  try {
    const { platforms: infos } = await insight.listPlatforms({}, context.options());
    return infos.map((info) => stateOf(info));
  } catch (error) {
    if (error instanceof AppError && error.kind === "forbidden") return nameless();
    throw error;
  }
}

const writeInfo = writerOf(PlatformInfoJson);

function stateOf(info: PlatformInfo) {
  const { platform, state, missing } = writeInfo(info) as { platform: string; state: string; missing: string | null };
  return { platform, state, missing };
}

function hasInsight(principal: Principal | undefined): boolean {
  return principal?.products.some(({ uid, active }) => uid === "insight" && active) === true;
}

/** What readiness knows of an analysis; in a process that does not analyze, nothing. */
interface KnownState {
  readonly state: string;
  readonly engine?: string;
  readonly id?: string;
  readonly version?: string;
  readonly reason?: string;
  readonly warning?: string;
}

const FILE_PARTS = ["reading", "speech", "ffmpeg"];
const TYPES = [
  ...MODEL_CARDS.map(({ analysis }) => analysis).filter((name) => name !== "language" && !FILE_PARTS.includes(name)),
  ...FILE_PARTS,
];

function analysesOf(dependencies: Readonly<Record<string, KnownState>>) {
  return TYPES.map((type) => {
    const known = dependencies[`analysis:${type}`] ?? dependencies[`media:${type}`];
    const state = known?.state ?? stateOfAll(dependencies);
    const reason = known?.reason ?? known?.warning ?? null;
    return {
      type,
      engine: known?.engine ?? null,
      model: known?.id ?? null,
      model_version: known?.version ?? null,
      state,
      reason: reason ?? (state === "unknown" ? ELSEWHERE : null),
      cure: cureOf({ type, state, reason, engine: known?.engine }),
    };
  });
}

const ELSEWHERE = "Other processes do this work.";

/** The dependencies of a gateway on its own are the services. */
function analyzesHere(dependencies: Readonly<Record<string, KnownState>>): boolean {
  return Object.keys(dependencies).some((name) => name === "models" || name.startsWith("analysis:"));
}

const ANALYZER_STATE = new Spelling(AnalyzerStateSchema);
/** Of callers who may not ask, and while the service is away. */
const UNANSWERED: readonly ErrorKind[] = ["forbidden", "unavailable", "deadline"];

/** What the processes that analyze have reported, in the form of readiness; nothing if it cannot be asked. */
async function reportedStates(
  operation: Clients["operation"],
  context: RouteContext,
): Promise<Readonly<Record<string, KnownState>>> {
  try {
    const { analyzers } = await operation.listAnalyzers({}, context.options());
    return Object.fromEntries(analyzers.map((analyzer) => [`analysis:${analyzer.type}`, knownState(analyzer)]));
  } catch (error) {
    if (error instanceof AppError && UNANSWERED.includes(error.kind)) return {};
    throw error;
  }
}

function knownState({ state, engine, model, reason }: Analyzer): KnownState {
  return {
    state: ANALYZER_STATE.of(state),
    ...(engine !== "" && { engine }),
    ...(model && { id: model.id, version: model.version }),
    ...(reason !== "" && { reason }),
  };
}

/** While models are loaded, and where that failed, there is one state for all. */
function stateOfAll(dependencies: Readonly<Record<string, KnownState>>): string {
  return dependencies["models"]?.state ?? dependencies["media"]?.state ?? "unknown";
}

interface Ill {
  readonly type: string;
  readonly state: string;
  readonly reason: string | null;
  readonly engine: string | undefined;
}

/** Most reasons end with what to do. */
function cureOf({ type, state, reason, engine }: Ill): string | null {
  if (state === "unknown") return "Ask /readyz of the processes that analyze.";
  if (state === "ready" && reason === null) return null;
  if (state === "loading") return "Wait until it is loaded.";
  const [command] = /\bnpm run [^,;()]*[^,;().\s]/.exec(reason ?? "") ?? [];
  if (command !== undefined) return `Run ${command}.`;
  const [, install] = /: install (.*)$/.exec(reason ?? "") ?? [];
  if (install !== undefined) return `Install ${install}`;
  if (engine === "models") return `Run npm run models -- pull ${type}.`;
  return "See the reason, the log of the server, and docs/models.md.";
}
