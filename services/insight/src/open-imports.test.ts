import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Platform } from "@hourglass/proto/insight/v1/platform";
import { PostingSchema } from "@hourglass/proto/insight/v1/posting";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openImports } from "./open-imports.js";
import { PostingsWorld } from "./postings/testing/postings-world.js";

const posting = (socialId: string, platform = Platform.TWITTER) =>
  create(PostingSchema, { socialId, platform, postedAt: timestampFromMs(1000), textOfPost: `Kestrel ${socialId}` });

describe("imports of the operator", () => {
  let world: PostingsWorld;
  beforeEach(async () => {
    world = await PostingsWorld.open();
  });
  afterEach(() => world.close());

  it("store postings in the insight of any company, once", async () => {
    const insight = await world.insight({ companyId: 12 });
    const imports = await openImports(world);
    const nothing = { accepted: 0, duplicates: 0, unmatched: 0, erased: 0 };
    expect(await imports.importPostings(insight.id, [posting("a"), posting("b")], false)).toEqual({
      ...nothing,
      accepted: 2,
    });
    expect(await imports.importPostings(insight.id, [posting("b")], false)).toEqual({ ...nothing, duplicates: 1 });
    expect(await world.stored(insight)).toMatchObject([{ companyId: 12 }, { companyId: 12 }]);
  });

  it("refuse postings of another platform by their index, and an insight that is not there", async () => {
    const insight = await world.insight();
    const imports = await openImports(world);
    await expect(
      imports.importPostings(insight.id, [posting("a"), posting("b", Platform.TIKTOK)], false),
    ).rejects.toMatchObject({ violations: [{ field: "postings[1].platform" }] });
    await expect(imports.importPostings(999, [posting("a")], false)).rejects.toMatchObject({ kind: "not-found" });
    expect(await world.stored(insight)).toEqual([]);
  });
});
