import type { Blobs, DeclaredCollection, Document, ServiceData, Store } from "@hourglass/runtime";
import { isOfNobody } from "../../all-data.js";
import { CompanyDocuments } from "./company-documents.js";

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
