import { AUTH_DATA } from "@hourglass/auth";
import { EXPORT_DATA } from "@hourglass/export";
import { insightData } from "@hourglass/insight";
import { MEDIA_DATA } from "@hourglass/media";
import { OPERATION_DATA } from "@hourglass/operation";
import type {
  Belonging,
  Blobs,
  Collection,
  DeclaredCollection,
  Document,
  Filter,
  ServiceData,
  Store,
} from "@hourglass/runtime";
import type { StandaloneConfig } from "./config.js";

/** What the services keep, in the order in which it is erased: exports and operations before the files they use. */
export function allData({ insight }: Pick<StandaloneConfig, "insight">): readonly ServiceData[] {
  return [EXPORT_DATA, insightData(insight.platforms), OPERATION_DATA, MEDIA_DATA, AUTH_DATA];
}

/** Whether none of its documents belongs to a company. */
export function isOfNobody({ belongs }: DeclaredCollection): boolean {
  return "because" in belongs;
}

/** Parents whose children are looked up with one query. */
const PARENTS_AT_ONCE = 100;

/** Finds what a company has in the collections of one service. */
export class CompanyDocuments {
  private readonly opened = new Map<string, Promise<Collection<Document>>>();
  private readonly byName: ReadonlyMap<string, DeclaredCollection>;

  constructor(
    private readonly store: Store,
    collections: readonly DeclaredCollection[],
    private readonly companyId: number,
  ) {
    this.byName = new Map(collections.map((each) => [each.name, each]));
  }

  open(declaration: DeclaredCollection): Promise<Collection<Document>> {
    const known = this.opened.get(declaration.name) ?? declaration.open(this.store);
    this.opened.set(declaration.name, known);
    return known;
  }

  /**
   * The company's documents of a collection, narrowed by `where`; one that is found in several ways comes several times.
   */
  async *of(declaration: DeclaredCollection, where: Filter<Document> = {}): AsyncGenerator<Document> {
    if ("because" in declaration.belongs) return;
    const collection = await this.open(declaration);
    for (const belonging of declaration.belongs) {
      for await (const filter of this.filtersOf(belonging)) {
        for await (const document of collection.stream({ ...filter, ...where })) {
          if (belonging.of !== "reading" || belonging.belongs(document, this.companyId)) yield document;
        }
      }
    }
  }

  private async *filtersOf(belonging: Belonging<Document>): AsyncGenerator<Filter<Document>> {
    if (belonging.of === "reading") yield {};
    else if (belonging.of === "company") yield belonging.filter(this.companyId);
    else for await (const ids of this.idsOf(belonging.parent)) yield* belonging.filters(ids);
  }

  private async *idsOf(name: string): AsyncGenerator<Document["id"][]> {
    const parent = this.byName.get(name);
    if (parent === undefined) throw new Error(`${name} is no collection of this service`);
    let ids: Document["id"][] = [];
    for await (const { id } of this.of(parent)) {
      ids.push(id);
      if (ids.length < PARENTS_AT_ONCE) continue;
      yield ids;
      ids = [];
    }
    if (ids.length > 0) yield ids;
  }
}

/** What a company has in a collection. */
export interface Holding {
  collection: string;
  documents: number;
  /** Of the documents as JSON, without indexes. */
  bytes: number;
  /** Files that the documents name, and their bytes. */
  files: number;
  fileBytes: number;
}

/** Measures what a company has, by collection; those with nothing of it are left out. */
export async function measureCompany(
  { store, blobs, data }: { store: Store; blobs: Blobs; data: readonly ServiceData[] },
  companyId: number,
): Promise<Holding[]> {
  const holdings: Holding[] = [];
  for (const { collections } of data) {
    const documents = new CompanyDocuments(store, collections, companyId);
    for (const declaration of collections.filter((each) => !isOfNobody(each))) {
      const holding = await measureIn({ documents, blobs }, declaration);
      if (holding.documents > 0) holdings.push(holding);
    }
  }
  return holdings;
}

async function measureIn(
  { documents, blobs }: { documents: CompanyDocuments; blobs: Blobs },
  declaration: DeclaredCollection,
): Promise<Holding> {
  const holding = { collection: declaration.name, documents: 0, bytes: 0, files: 0, fileBytes: 0 };
  const seen = new Set<Document["id"]>();
  for await (const document of documents.of(declaration)) {
    if (seen.has(document.id)) continue;
    seen.add(document.id);
    holding.documents += 1;
    holding.bytes += Buffer.byteLength(JSON.stringify(document));
    for (const key of declaration.blobsOf?.(document) ?? []) {
      const size = await blobs.size(key);
      if (size === undefined) continue;
      holding.files += 1;
      holding.fileBytes += size;
    }
  }
  return holding;
}
