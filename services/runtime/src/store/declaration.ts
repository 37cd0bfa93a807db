import type { Change, Collection, CollectionSpec, Document, Filter, Store } from "./store.js";

/** One way to find the documents of a company. */
export type Belonging<T extends Document> =
  /** By what they say of the company themselves. */
  | { readonly of: "company"; filter(companyId: number): Filter<T> }
  /** By the documents of another collection of the same service that belong to the company. */
  | {
      readonly of: "parent";
      /** Name of that collection. */
      readonly parent: string;
      filters(parentIds: readonly Document["id"][]): readonly Filter<T>[];
    }
  /** By reading all documents: for collections that are always small. */
  | { readonly of: "reading"; belongs(document: T, companyId: number): boolean };

/** Says why no document of a collection belongs to one company. */
export interface NotOfCompanies {
  readonly because: string;
}

/** How work on a company's documents is ended before they are erased, so that nobody writes anything back. */
export interface Halt<T extends Document> {
  /** Those on which somebody may be working, or begin to. */
  readonly where: Filter<T>;
  readonly change: Change<T>;
  /** The field that says until when a process that works on one may not have noticed, in milliseconds since the epoch. */
  readonly until?: keyof T & string;
}

/** A collection, with what is needed to find, count and erase all that a company has in it. */
export interface CollectionDeclaration<T extends Document> extends CollectionSpec<T> {
  readonly belongs: readonly Belonging<T>[] | NotOfCompanies;
  /** Keys of the blobs that a document names; they are erased before it. */
  blobsOf?(document: T): readonly string[];
  readonly halt?: Halt<T>;
}

/** A declaration whose kind of document is not known. */
export interface DeclaredCollection extends Omit<CollectionDeclaration<Document>, "indexes"> {
  open(store: Pick<Store, "collection">): Promise<Collection<Document>>;
}

/**
 * What searches of several companies share, such as a feed that is read once for all of them. What a company uses of it
 * has a name each; names may tell what the company looks for.
 */
export interface SharedData {
  /** Names of what the company uses. */
  namesOf(store: Store, companyId: number): Promise<string[]>;
  /** Erases what has one of the names and is used by no company any more; returns the number of documents by collection. */
  forget(store: Store, names: readonly string[]): Promise<Readonly<Record<string, number>>>;
}

/** All that a service keeps in the store. A collection comes before its parents. */
export interface ServiceData {
  readonly collections: readonly DeclaredCollection[];
  readonly shared?: SharedData;
  /** First words of the keys of its blobs. */
  readonly blobFolders?: readonly string[];
}

/** A declaration among those of other documents. */
export function declared<T extends Document>(declaration: CollectionDeclaration<T>): DeclaredCollection {
  const open = (store: Pick<Store, "collection">) => store.collection(declaration);
  // Code that handles any kind of document passes to the functions only what was read from this very collection.
  return { ...declaration, open } as unknown as DeclaredCollection;
}

/** Documents whose field is the id of the company. */
export function ofCompany<T extends Document>(field: keyof T & string): Belonging<T> {
  return { of: "company", filter: (companyId) => ({ [field]: companyId }) as Filter<T> };
}

/** Documents whose field is a text that begins with the company's id and a colon, such as an idempotency mark. */
export function ofMark<T extends Document>(field: keyof T & string): Belonging<T> {
  return { of: "company", filter: (companyId) => ({ [field]: beginningWith(`${companyId}:`) }) as Filter<T> };
}

/** Documents whose field is the id of a document of `parent`. */
export function ofParent<T extends Document>(parent: string, field: keyof T & string): Belonging<T> {
  return { of: "parent", parent, filters: (parentIds) => [{ [field]: { in: parentIds } } as Filter<T>] };
}

/** Documents whose field is a text that begins with the id of a document of `parent` and a colon. */
export function ofParentMark<T extends Document>(parent: string, field: keyof T & string): Belonging<T> {
  const filters = (parentIds: readonly Document["id"][]) =>
    parentIds.map((id) => ({ [field]: beginningWith(`${id}:`) }) as Filter<T>);
  return { of: "parent", parent, filters };
}

/** `prefix` ends in a colon, and `;` is the character after it. */
function beginningWith(prefix: string): { gte: string; lt: string } {
  return { gte: prefix, lt: `${prefix.slice(0, -1)};` };
}
