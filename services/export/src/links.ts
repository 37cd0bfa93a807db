import { ExportFormat } from "@hourglass/proto/export/v1/export";
import {
  type Collection,
  type IssuedLink,
  type KeptAnswers,
  SharedKey,
  SignedLinks,
  type StoredKey,
} from "@hourglass/runtime";
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
  answers: KeptAnswers<IssuedLink>;
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

  /** A link; the same request with the same idempotency key, if there is one, gets the same link. */
  async issue({ id, companyId, format }: LinkedFile, key: string): Promise<IssuedLink & { replayed: boolean }> {
    const { answer, replayed } = await this.deps.answers.once({ companyId, key, request: [id, format] }, async () => ({
      answer: await this.links.issue([id, companyId, format]),
      steps: [],
    }));
    return { ...answer, replayed };
  }

  /** Throws the error of an unknown export if the token was changed, has expired, or its company lost the product. */
  async read(token: string): Promise<LinkedFile> {
    const [id = 0, companyId = 0, format] = (await this.links.read(token)) ?? [];
    const known = FORMATS.find((each) => each === format);
    if (known === undefined || !(await this.deps.isActive(companyId))) throw exportNotFound();
    return { id, companyId, format: known };
  }
}
