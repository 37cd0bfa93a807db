/** How pages of a timeline differ from what a client hopes for. */
interface Irregularities {
  /** Each page begins with the last item of the page before. */
  repeats: boolean;
  /** Items of a page come in no order. */
  reorders: boolean;
  /** Every page states a next page, and that is the same page again. */
  loops: boolean;
}

interface PageQuery<T> {
  readonly wants: (item: T) => boolean;
  readonly limit: number;
  /** The token of an earlier page; undefined: the first page. */
  readonly token: string | undefined;
}

interface TimelinePage<T> {
  readonly items: readonly T[];
  readonly nextToken: string | undefined;
}

/** Items of a platform, given out newest first. A token stays right when newer items come. */
export class Timeline<T extends { readonly id: string; readonly at: number }> {
  readonly irregular: Irregularities = { repeats: false, reorders: false, loops: false };
  private readonly items = new Map<string, T>();

  add(...items: readonly T[]): void {
    for (const item of items) this.items.set(item.id, item);
  }

  get(id: string): T | undefined {
    return this.items.get(id);
  }

  /** Replaces an item by what `change` makes of it. */
  edit(id: string, change: (item: T) => T): void {
    const item = this.items.get(id);
    if (item === undefined) throw new RangeError(`There is no item ${id}.`);
    this.items.delete(id);
    this.add(change(item));
  }

  remove(id: string): void {
    this.items.delete(id);
  }

  find(isWanted: (item: T) => boolean): T | undefined {
    return [...this.items.values()].find(isWanted);
  }

  count(wants: (item: T) => boolean): number {
    return [...this.items.values()].filter(wants).length;
  }

  /** The token of the page after an item; undefined if there is no such item. */
  tokenAfter(id: string): string | undefined {
    return tokenOf(this.items.get(id));
  }

  page({ wants, limit, token }: PageQuery<T>): TimelinePage<T> {
    const all = [...this.items.values()].filter(wants).sort(newestFirst);
    const after = token === undefined ? -1 : indexAfter(all, token);
    const start = Math.max(0, after + (this.irregular.repeats && after >= 0 ? 0 : 1));
    const items = all.slice(start, start + limit);
    const last = items.at(-1);
    const isLast = last === undefined || last === all.at(-1);
    const shown = this.irregular.reorders ? items.toReversed() : items;
    if (this.irregular.loops) return { items: shown, nextToken: token ?? tokenOf(last) };
    return { items: shown, nextToken: isLast ? undefined : tokenOf(last) };
  }
}

function newestFirst<T extends { readonly id: string; readonly at: number }>(a: T, b: T): number {
  return b.at - a.at || (b.id > a.id ? 1 : -1);
}

function tokenOf(item: { readonly id: string; readonly at: number } | undefined): string | undefined {
  return item && Buffer.from(`${item.at} ${item.id}`).toString("base64url");
}

/** The id of the last item of the page before a token, for platforms that name it instead of a token. */
export function idOfToken(token: string): string {
  return Buffer.from(token, "base64url").toString().split(" ")[1] ?? "";
}

/** Index of the last item that earlier pages have given out, or where it was. */
function indexAfter(items: readonly { readonly id: string; readonly at: number }[], token: string): number {
  const [at = "0", id = ""] = Buffer.from(token, "base64url").toString().split(" ");
  const last = { at: Number(at), id };
  return items.findLastIndex((item) => newestFirst(item, last) <= 0);
}
