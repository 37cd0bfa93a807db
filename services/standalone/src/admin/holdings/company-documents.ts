import type { Belonging, Collection, DeclaredCollection, Document, Filter, Store } from "@hourglass/runtime";

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
