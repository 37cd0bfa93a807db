import { expect, it } from "vitest";
import { type Admittance, FairLimit, type Owner } from "./fair-limit.js";

/** Work that ends on command, and the order in which it began. */
class Site {
  readonly begun: string[] = [];
  private readonly ends = new Map<string, () => void>();

  constructor(private readonly limit: FairLimit) {}

  begin(owner: Owner, name: string, admittance?: AbortSignal | Admittance): Promise<void> {
    const work = () =>
      new Promise<void>((resolve) => {
        this.begun.push(name);
        this.ends.set(name, resolve);
      });
    return this.limit.run(owner, work, admittance);
  }

  async end(name: string): Promise<void> {
    this.ends.get(name)?.();
    await settled();
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

it("lets an owner who holds nothing pass another's backlog", async () => {
  const site = new Site(new FairLimit({ places: 2 }));
  for (const name of ["a1", "a2", "a3", "a4"]) void site.begin("a", name);
  void site.begin("b", "b1");
  await settled();
  await site.end("a1");
  expect(site.begun).toEqual(["a1", "a2", "b1"]);
  await site.end("a2");
  expect(site.begun).toEqual(["a1", "a2", "b1", "a3"]);
});

it("serves owners in alternation when they hold as many", async () => {
  const site = new Site(new FairLimit({ places: 1 }));
  for (const name of ["a1", "a2", "a3"]) void site.begin("a", name);
  for (const name of ["b1", "b2"]) void site.begin("b", name);
  await settled();
  for (const name of ["a1", "a2", "b1", "a3"]) await site.end(name);
  expect(site.begun).toEqual(["a1", "a2", "b1", "a3", "b2"]);
});

it("gives all places to an owner who is alone", async () => {
  const site = new Site(new FairLimit({ places: 3 }));
  for (const name of ["a1", "a2", "a3", "a4"]) void site.begin("a", name);
  await settled();
  expect(site.begun).toEqual(["a1", "a2", "a3"]);
});

it("keeps what is beyond one owner's share for the others", async () => {
  const site = new Site(new FairLimit({ places: 2, placesPerOwner: 1 }));
  void site.begin("a", "a1");
  void site.begin("a", "a2");
  await settled();
  expect(site.begun).toEqual(["a1"]);
  void site.begin("b", "b1");
  await settled();
  expect(site.begun).toEqual(["a1", "b1"]);
  await site.end("b1");
  expect(site.begun).toEqual(["a1", "b1"]);
  await site.end("a1");
  expect(site.begun).toEqual(["a1", "b1", "a2"]);
});

it("forgets work whose signal aborts while it waits, and gives its place to nobody twice", async () => {
  const site = new Site(new FairLimit({ places: 1 }));
  const stop = new AbortController();
  void site.begin("a", "a1");
  const aborted = site.begin("a", "a2", stop.signal);
  void site.begin("a", "a3");
  stop.abort(new Error("no longer wanted"));
  await expect(aborted).rejects.toThrow("no longer wanted");
  await expect(site.begin("a", "a4", stop.signal)).rejects.toThrow("no longer wanted");
  await site.end("a1");
  expect(site.begun).toEqual(["a1", "a3"]);
});

it("takes a place back once, however often it is given back", async () => {
  const limit = new FairLimit({ places: 1 });
  const release = await limit.acquire("a");
  release();
  release();
  await limit.acquire("a");
  const stop = new AbortController();
  const second = limit.acquire("b", stop.signal);
  stop.abort(new Error("still full"));
  await expect(second).rejects.toThrow("still full");
});

it("frees the place of work that fails", async () => {
  const limit = new FairLimit({ places: 1 });
  await expect(limit.run("a", () => Promise.reject(new Error("no luck")))).rejects.toThrow("no luck");
  expect(await limit.run("b", () => Promise.resolve("done"))).toBe("done");
});

it("gives work in the background a place only when no other work waits", async () => {
  const site = new Site(new FairLimit({ places: 1 }));
  void site.begin("a", "a1");
  void site.begin("b", "behind 1", { rank: "background" });
  void site.begin("b", "behind 2", { rank: "background" });
  void site.begin("a", "a2");
  await settled();
  await site.end("a1");
  expect(site.begun).toEqual(["a1", "a2"]);
  await site.end("a2");
  void site.begin("a", "a3");
  await site.end("behind 1");
  expect(site.begun).toEqual(["a1", "a2", "behind 1", "a3"]);
});

it("keeps the places beyond those for the background free for other work", async () => {
  const site = new Site(new FairLimit({ places: 2, backgroundPlaces: 1 }));
  for (const name of ["behind 1", "behind 2"]) void site.begin("b", name, { rank: "background" });
  await settled();
  expect(site.begun).toEqual(["behind 1"]);
  void site.begin("a", "a1");
  await settled();
  expect(site.begun).toEqual(["behind 1", "a1"]);
  await site.end("a1");
  await site.end("behind 1");
  expect(site.begun).toEqual(["behind 1", "a1", "behind 2"]);
});

it("begins work in the background only while fewer places than its own are held by any work", async () => {
  let backgroundPlaces = 1;
  const site = new Site(new FairLimit({ places: 4, backgroundPlaces: () => backgroundPlaces }));
  for (const name of ["a1", "a2"]) void site.begin("a", name);
  for (const name of ["behind 1", "behind 2"]) void site.begin("b", name, { rank: "background" });
  await settled();
  await site.end("a1");
  expect(site.begun).toEqual(["a1", "a2"]);
  backgroundPlaces = 2;
  await site.end("a2");
  expect(site.begun).toEqual(["a1", "a2", "behind 1", "behind 2"]);
});

it("lets work in the background have a turn when others never cease to wait", async () => {
  let now = 0;
  const site = new Site(new FairLimit({ places: 1, backgroundEveryMs: 500, now: () => now }));
  for (const name of ["a1", "a2", "a3", "a4"]) void site.begin("a", name);
  for (const name of ["behind 1", "behind 2"]) void site.begin("b", name, { rank: "background" });
  await settled();
  now = 499;
  await site.end("a1");
  now = 500;
  for (const name of ["a2", "behind 1", "a3"]) await site.end(name);
  expect(site.begun).toEqual(["a1", "a2", "behind 1", "a3", "a4"]);
  now = 1000;
  await site.end("a4");
  expect(site.begun.at(-1)).toBe("behind 2");
});

it("counts the wait of the background from its begin", async () => {
  let now = 0;
  const site = new Site(new FairLimit({ places: 1, backgroundEveryMs: 500, now: () => now }));
  for (const name of ["a1", "a2"]) void site.begin("a", name);
  now = 10_000;
  void site.begin("b", "behind 1", { rank: "background" });
  await settled();
  await site.end("a1");
  expect(site.begun).toEqual(["a1", "a2"]);
});

it("shares the places for the background between owners", async () => {
  const site = new Site(new FairLimit({ places: 1 }));
  for (const name of ["a1", "a2", "a3"]) void site.begin("a", name, { rank: "background" });
  void site.begin("b", "b1", { rank: "background" });
  await settled();
  for (const name of ["a1", "a2"]) await site.end(name);
  expect(site.begun).toEqual(["a1", "a2", "b1"]);
});
