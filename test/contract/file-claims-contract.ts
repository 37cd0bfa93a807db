import { AppError, VIOLATIONS_MAX } from "@hourglass/runtime";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type FileWorld, type Media, MediaProcess, uploadMany } from "./media-world.js";
import { LIMITS } from "../support/limits.js";
import { failureOf, numbersBelow } from "./support.js";

export interface ClaimRaces {
  /** Of twelve clients racing for one file. */
  rounds: number;
}

/** Claims of files in two processes on the same storage. */
export function fileClaimsContract(name: string, open: () => Promise<FileWorld>, { rounds }: ClaimRaces): void {
  describe(`claims of files (${name})`, () => {
    let world: FileWorld;
    let clients: Media[];
    let operationId = 0n;

    beforeEach(async () => {
      world = await open();
      const processes = [await MediaProcess.on(world.storage), await MediaProcess.on(await world.again())];
      clients = processes.map((process) => process.client());
    });
    afterEach(() => world.close());

    const nextOperation = () => (operationId += 1n);

    /** Claims for separate operations at the same moment; returns the operations that succeeded. */
    async function race(lists: readonly bigint[][]): Promise<{ operation: bigint; fileIds: bigint[] }[]> {
      const claims = lists.map(async (fileIds, index) => {
        const operation = nextOperation();
        const media = clients[index % clients.length]!;
        try {
          await media.claimFiles({ operationId: operation, fileIds });
          return [{ operation, fileIds }];
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
          expect(error).toMatchObject({ kind: "invalid" });
          return [];
        }
      });
      return (await Promise.all(claims)).flat();
    }

    async function isFree(fileId: bigint): Promise<boolean> {
      const operation = nextOperation();
      const claim = clients[0]!.claimFiles({ operationId: operation, fileIds: [fileId] });
      const free = await claim.then(
        () => true,
        () => false,
      );
      await clients[0]!.releaseFiles({ operationId: operation });
      return free;
    }

    it(`give a file to exactly one of twelve that race for it, ${rounds} times over`, async () => {
      const [fileId = 0n] = await uploadMany(clients[0]!, 1);
      for (let round = 0; round < rounds; round++) {
        const winners = await race(numbersBelow(12).map(() => [fileId]));
        expect(winners).toHaveLength(1);
        await clients[0]!.releaseFiles({ operationId: winners[0]!.operation });
      }
    });

    it("give all or none of overlapping lists, and leave free what nobody got", async () => {
      const ids = await uploadMany(clients[0]!, 8);
      for (let round = 0; round < rounds / 25; round++) {
        const lists = numbersBelow(12).map((index) => shuffled(ids, index + round).slice(0, 1 + (index % 5)));
        const winners = await race(lists);
        const used = winners.flatMap(({ fileIds }) => fileIds);
        expect(winners.length).toBeGreaterThan(0);
        expect(new Set(used).size).toBe(used.length);
        // Each loser wanted a file that a winner has; nobody lost because of another loser.
        const losers = lists.filter((list) => !winners.some(({ fileIds }) => fileIds === list));
        for (const list of losers) expect(list.some((id) => used.includes(id))).toBe(true);
        for (const id of ids) expect(await isFree(id)).toBe(!used.includes(id));
        for (const { operation } of winners) await clients[0]!.releaseFiles({ operationId: operation });
      }
    });

    it("succeed again for the same operation, also at the same moment", async () => {
      const ids = await uploadMany(clients[0]!, 3);
      const request = { operationId: nextOperation(), fileIds: ids };
      await Promise.all(numbersBelow(6).map((index) => clients[index % 2]!.claimFiles(request)));
      await clients[1]!.claimFiles(request);
      expect(await isFree(ids[0]!)).toBe(false);
    });

    it("name every file that is unknown, another company's or used, and take none", async () => {
      const [free = 0n, used = 0n] = await uploadMany(clients[0]!, 2);
      const stranger = (await MediaProcess.on(world.storage)).client(2);
      const [foreign = 0n] = await uploadMany(stranger, 1);
      await clients[0]!.claimFiles({ operationId: nextOperation(), fileIds: [used] });
      const fileIds = [free, used, 999_999n, foreign];
      const refused = await failureOf(clients[0]!.claimFiles({ operationId: nextOperation(), fileIds }));
      expect(refused.kind).toBe("invalid");
      expect(refused.violations.map(({ field }) => field)).toEqual(["file_ids[1]", "file_ids[2]", "file_ids[3]"]);
      const [, unknown, other] = refused.violations.map(({ message }) => message);
      expect(other).toBe(unknown);
      expect(await isFree(free)).toBe(true);
    });

    it("are given back by a release, of their own company only", async () => {
      const ids = await uploadMany(clients[0]!, 2);
      const operation = nextOperation();
      await clients[0]!.claimFiles({ operationId: operation, fileIds: ids });
      const stranger = (await MediaProcess.on(world.storage)).client(2);
      await stranger.releaseFiles({ operationId: operation });
      await stranger.deleteFiles({ operationId: operation });
      expect(await isFree(ids[0]!)).toBe(false);
      await clients[1]!.releaseFiles({ operationId: operation });
      expect(await isFree(ids[0]!)).toBe(true);
      expect(await isFree(ids[1]!)).toBe(true);
    });

    it("get nothing for an operation whose claims were released, however late they come", async () => {
      const ids = await uploadMany(clients[0]!, 2);
      const [operation, unclaimed, foreigns] = [nextOperation(), nextOperation(), nextOperation()];
      const foreign = (await MediaProcess.on(world.storage)).client(2);
      await clients[0]!.claimFiles({ operationId: operation, fileIds: ids });
      await clients[1]!.releaseFiles({ operationId: operation });
      await clients[1]!.releaseFiles({ operationId: unclaimed });
      await foreign.releaseFiles({ operationId: foreigns });
      for (const late of [operation, unclaimed]) {
        const refused = await failureOf(clients[0]!.claimFiles({ operationId: late, fileIds: ids }));
        expect(refused.kind).toBe("unavailable");
        for (const id of ids) expect(await isFree(id)).toBe(true);
      }
      await clients[0]!.claimFiles({ operationId: foreigns, fileIds: ids });
    });

    it("leave nothing to an operation that is given up meanwhile", { timeout: LIMITS.processes }, async () => {
      const ids = await uploadMany(clients[0]!, 4);
      for (let round = 0; round < 40; round++) {
        const operation = nextOperation();
        const claim = clients[0]!.claimFiles({ operationId: operation, fileIds: ids }).catch(() => undefined);
        await clients[1]!.releaseFiles({ operationId: operation });
        const next = nextOperation();
        await clients[1]!.claimFiles({ operationId: next, fileIds: ids });
        await claim;
        expect(await isFree(ids[0]!)).toBe(false);
        await clients[1]!.releaseFiles({ operationId: next });
      }
    });

    it("take a thousand files at once", async () => {
      const known = await uploadMany(clients[0]!, 2);
      const fileIds = [...known, ...numbersBelow(998).map((n) => BigInt(10_000 + n))];
      const refused = await failureOf(clients[0]!.claimFiles({ operationId: nextOperation(), fileIds }));
      expect(refused.violations).toHaveLength(VIOLATIONS_MAX);
      expect(refused.message).toContain("not all of which are listed");
      expect(await isFree(known[1]!)).toBe(true);
    });
  });
}

/** A pseudo-random order that depends only on the seed. */
function shuffled<T>(items: readonly T[], seed: number): T[] {
  return items
    .map((item, index) => ({ item, order: Math.sin((seed + 1) * 97 + index * 131) }))
    .sort((a, b) => a.order - b.order)
    .map(({ item }) => item);
}
