import { ExportFormat } from "@hourglass/proto/export/v1/export";
import { type Collection, type IssuedLink, SharedKey, SignedLinks, type StoredKey } from "@hourglass/runtime";
import { exportNotFound } from "./store.js";

/** The file to which a link gives access. */
export interface LinkedFile {
  id: number;
  companyId: number;
  format: ExportFormat;
}

const FORMATS: readonly ExportFormat[] = [
  ExportFormat.JSON,
  ExportFormat.NDJSON,
  ExportFormat.CSV,
  ExportFormat.PARQUET,
];

interface LinkDeps {
  keys: Collection<StoredKey>;
  /** Whether a company may use the product that exports belong to. A link gives no more than a token would. */
  isActive: (companyId: number) => Promise<boolean>;
  now: () => number;
}

/** The links of exports. */
export class ExportLinks {
  private readonly links: SignedLinks;

  constructor(private readonly deps: LinkDeps) {
    const key = new SharedKey(deps.keys, "links");
    this.links = new SignedLinks({ key, purpose: "export-link", now: deps.now });
  }

  issue({ id, companyId, format }: LinkedFile): Promise<IssuedLink> {
    return this.links.issue([id, companyId, format]);
  }

  /** Throws the error of an unknown export if the token was changed, has expired, or its company lost the product. */
  async read(token: string): Promise<LinkedFile> {
    const [id = 0, companyId = 0, format] = (await this.links.read(token)) ?? [];
    const known = FORMATS.find((each) => each === format);
    if (known === undefined || !(await this.deps.isActive(companyId))) throw exportNotFound();
    return { id, companyId, format: known };
  }
}
