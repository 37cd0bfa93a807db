import { type Checksum, ModelError, type ModelId } from "./model.js";

/** A server with the API of huggingface.co. Plain data, because it is passed to worker threads. */
export interface HubSettings {
  /** Origin, with a path prefix if a mirror has one. */
  endpoint: string;
  /** For private and gated models; sent to the endpoint only, never to redirect targets. */
  token?: string | undefined;
  /** Pause before the first retry, in milliseconds; doubled after each. */
  pauseMs?: number;
  /** A transfer without data for this long is considered broken, in milliseconds. */
  silenceMs?: number;
}

/** A file of a model in the hub's listing. */
export interface HubFile {
  /** With `/` as separator. */
  path: string;
  bytes: number | undefined;
  checksum: Checksum | undefined;
}

/** All files of one commit of a model. */
export interface Listing {
  commit: string;
  files: HubFile[];
}

/** Where the files of a model come from. */
export interface ModelSource {
  /** Named in messages and in the manifest. */
  endpoint: string;
  /** Lists the files of a model at a revision. Throws ModelError. */
  list(model: ModelId, signal: AbortSignal): Promise<Listing>;
  /** Opens a file at a commit, from a byte on if the server supports it. Throws ModelError. */
  open(model: ModelId, place: FilePlace): Promise<Transfer>;
  /**
   * Makes the model in the folder of the downloaded files, if they are not the model itself: deletes them, and returns
   * the names of its files. Throws ModelError.
   */
  finish?(folder: string): Promise<readonly string[]>;
}

/** A file of a model, from a byte on. */
export interface FilePlace {
  commit: string;
  path: string;
  from: number;
  signal: AbortSignal;
}

/** The hub as the source of models. */
export const sourceOf = (hub: HubSettings): ModelSource => ({
  endpoint: hub.endpoint,
  list: (model, signal) => listFiles(hub, model, signal),
  open: (model, place) => openFile(hub, model, place),
});

/** The body of a file from some byte on. */
export interface Transfer {
  /** First byte of the body; 0 if the server does not resume. */
  from: number;
  /** Size of the whole file, if the server sends it. */
  bytes: number | undefined;
  checksum: Checksum | undefined;
  body: AsyncIterable<Uint8Array>;
}

const REDIRECTS_MAX = 5;

async function listFiles(hub: HubSettings, model: ModelId, signal: AbortSignal): Promise<Listing> {
  const url = `${origin(hub)}/api/models/${model.id}/revision/${encodeURIComponent(model.revision)}?blobs=true`;
  const { response } = await request(hub, { url, headers: {}, model, signal });
  const body: unknown = await response.json();
  const { sha, siblings } = body as { sha?: unknown; siblings?: unknown };
  if (typeof sha !== "string" || !Array.isArray(siblings)) {
    throw new ModelError("refused", `${hub.endpoint} does not respond like a model hub: check HF_ENDPOINT.`);
  }
  return { commit: sha, files: siblings.flatMap(toFile) };
}

async function openFile(
  hub: HubSettings,
  model: ModelId,
  { commit, path, from, signal }: FilePlace,
): Promise<Transfer> {
  const place = path.split("/").map(encodeURIComponent).join("/");
  const url = `${origin(hub)}/${model.id}/resolve/${encodeURIComponent(commit)}/${place}`;
  return await openUrl(hub, { url, model, path, from, signal });
}

/** Opens a URL, from a byte on if the server supports it. Throws ModelError. */
export async function openUrl(
  hub: HubSettings,
  { url, model, path, from, signal }: { url: string; model: ModelId } & Omit<FilePlace, "commit">,
): Promise<Transfer> {
  // Compressed bodies would have another length and could not be resumed.
  const headers = { "accept-encoding": "identity", ...(from > 0 ? { range: `bytes=${from}-` } : {}) };
  const { response, first } = await request(hub, { url, headers, model, signal });
  if (response.body === null) throw new ModelError("unreachable", `${hub.endpoint} sent no ${path}.`);
  const range = /^bytes (\d+)-\d+\/(\d+)$/.exec(response.headers.get("content-range") ?? "");
  const length = response.headers.get("content-length");
  return {
    from: response.status === 206 ? Number(range?.[1] ?? from) : 0,
    bytes: response.status === 206 ? numberOf(range?.[2]) : numberOf(length),
    checksum: checksumOf(first.headers.get("x-linked-etag") ?? first.headers.get("etag")),
    body: response.body,
  };
}

const origin = ({ endpoint }: HubSettings): string => endpoint.replace(/\/+$/, "");
const numberOf = (text: string | null | undefined): number | undefined =>
  text === null || text === undefined || text === "" ? undefined : Number(text);

interface Request {
  url: string;
  headers: Record<string, string>;
  model: ModelId;
  signal: AbortSignal;
}

/** Follows redirects explicitly: the token is for the hub only, and the first response contains the checksum. */
export async function request(
  hub: HubSettings,
  { url, headers, model, signal }: Request,
): Promise<{ response: Response; first: Response }> {
  let place = new URL(url);
  let first: Response | undefined;
  for (let hops = 0; hops <= REDIRECTS_MAX; hops++) {
    const own = place.origin === new URL(hub.endpoint).origin;
    const authorization = own && hub.token ? { authorization: `Bearer ${hub.token}` } : undefined;
    const response = await fetchManually(place, { headers: { ...headers, ...authorization }, signal });
    first ??= response;
    const location = response.headers.get("location");
    if (response.status < 300 || response.status >= 400 || location === null) {
      if (!response.ok) throw await errorOf(hub, model, response);
      return { response, first };
    }
    await response.body?.cancel();
    const next = new URL(location, place);
    if (place.protocol === "https:" && next.protocol !== "https:") {
      throw new ModelError(
        "refused",
        `${place.host} redirects to ${next.protocol}//${next.host}, which is not encrypted.`,
      );
    }
    place = next;
  }
  throw new ModelError("refused", `${hub.endpoint} redirects in a circle.`);
}

async function fetchManually(url: URL, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { ...init, redirect: "manual" });
  } catch (error) {
    throw new ModelError("unreachable", `${url.host} cannot be reached (${causeOf(error)}).`, { cause: error });
  }
}

/** The innermost reason: fetch itself only reports "fetch failed". */
export function causeOf(error: unknown): string {
  let innermost = error;
  while (innermost instanceof Error && innermost.cause instanceof Error) innermost = innermost.cause;
  if (!(innermost instanceof Error)) return String(innermost);
  const { code } = innermost as NodeJS.ErrnoException;
  return code ?? innermost.message;
}

async function errorOf(hub: HubSettings, { id, revision }: ModelId, response: Response): Promise<ModelError> {
  await response.body?.cancel();
  const { status } = response;
  if (status === 429 || status >= 500) return new ModelError("unreachable", `${hub.endpoint} answers ${status}.`);
  if (status === 404) return new ModelError("refused", `${hub.endpoint} has no model ${id} at revision ${revision}.`);
  if (status === 416) return new ModelError("damaged", "What is left of an earlier download does not fit.");
  const why =
    status === 401 || status === 403 ? "private, gated or not there; HF_TOKEN opens it to its owner" : "refused";
  return new ModelError("refused", `${hub.endpoint} answers ${status} for ${id}: it is ${why}.`);
}

function toFile(sibling: unknown): HubFile[] {
  const { rfilename, size, blobId, lfs } = sibling as Record<string, unknown>;
  if (typeof rfilename !== "string") return [];
  const sha256 = typeof lfs === "object" && lfs !== null ? (lfs as Record<string, unknown>)["sha256"] : undefined;
  return [
    {
      path: rfilename,
      bytes: typeof size === "number" ? size : undefined,
      checksum: checksumOf(typeof sha256 === "string" ? sha256 : lfs === undefined ? blobId : undefined),
    },
  ];
}

/** The hub's entity tags are checksums: 64 digits of SHA-256, or 40 of git's blob hash. */
function checksumOf(tag: unknown): Checksum | undefined {
  const hex = typeof tag === "string" ? /^(?:W\/)?"?([0-9a-f]+)"?$/.exec(tag)?.[1] : undefined;
  if (hex?.length === 64) return { algorithm: "sha256", hex };
  return hex?.length === 40 ? { algorithm: "git", hex } : undefined;
}
