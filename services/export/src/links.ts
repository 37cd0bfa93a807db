import { createHmac, timingSafeEqual } from "node:crypto";
import { ExportFormat } from "@hourglass/proto/export/v1/export";
import { type Collection, SharedKey, type StoredKey } from "@hourglass/runtime";
import { exportNotFound } from "./store.js";

/** The file to which a link gives access. */
export interface LinkedFile {
  id: number;
  companyId: number;
  format: ExportFormat;
}

const LINK_TTL_SECONDS = 5 * 60;
/** Export, company, format and time of expiry in seconds since the epoch, then the signature. */
const TOKEN = /^(\d{1,16})-(\d{1,16})-(\d{1,3})-(\d{1,12})\.([A-Za-z0-9_-]{43})$/;

const FORMATS: ReadonlyMap<string, ExportFormat> = new Map(
  [ExportFormat.JSON, ExportFormat.NDJSON, ExportFormat.CSV, ExportFormat.PARQUET].map((each) => [String(each), each]),
);

interface LinkDeps {
  keys: Collection<StoredKey>;
  /** Whether a company may use the product that exports belong to. A link gives no more than a token would. */
  isActive: (companyId: number) => Promise<boolean>;
  now: () => number;
}

/** Signs and checks the tokens of links. Every process that uses the store accepts the tokens of the others. */
export class ExportLinks {
  private readonly key: SharedKey;

  constructor(private readonly deps: LinkDeps) {
    this.key = new SharedKey(deps.keys, "links");
  }

  /** A token that is valid for five minutes, and its time of expiry in milliseconds since the epoch. */
  async issue({ id, companyId, format }: LinkedFile): Promise<{ token: string; expiresAt: number }> {
    const expiresAtSeconds = Math.floor(this.deps.now() / 1000) + LINK_TTL_SECONDS;
    const payload = `${id}-${companyId}-${format}-${expiresAtSeconds}`;
    return { token: `${payload}.${sign(await this.key.read(), payload)}`, expiresAt: expiresAtSeconds * 1000 };
  }

  /** Throws the error of an unknown export if the token was changed, has expired, or its company lost the product. */
  async read(token: string): Promise<LinkedFile> {
    const [, id = "", companyId = "", format = "", expiresAt = "", signature = ""] = TOKEN.exec(token) ?? [];
    const expected = sign(await this.key.read(), `${id}-${companyId}-${format}-${expiresAt}`);
    const isSigned = signature !== "" && timingSafeEqual(Buffer.from(signature), Buffer.from(expected));
    const known = FORMATS.get(format);
    if (!isSigned || known === undefined || Number(expiresAt) * 1000 <= this.deps.now()) throw exportNotFound();
    if (!(await this.deps.isActive(Number(companyId)))) throw exportNotFound();
    return { id: Number(id), companyId: Number(companyId), format: known };
  }
}

function sign(key: string, payload: string): string {
  return createHmac("sha256", Buffer.from(key, "base64url")).update(`export-link ${payload}`).digest("base64url");
}
