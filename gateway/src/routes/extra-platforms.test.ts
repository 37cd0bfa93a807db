import { platformNames } from "@hourglass/posting";
import { Platform } from "@hourglass/proto/insight/v1/platform";
import { afterEach, describe, expect, it } from "vitest";
import { AUTHORIZATION, GatewayClient } from "../testing/gateway-under-test.js";

const INSIGHTS = "/api/v2/products/insight";
const NINE = "twitter, reddit, news, youtube-videos, youtube-comments, facebook, instagram, linkedin, tiktok";
const QUERY = { keywords: "a", dimensions: ["textual"] };

describe("platforms that only some servers have", () => {
  const gateway = new GatewayClient();
  afterEach(() => gateway.stop());

  const config = (extra: readonly string[]) => ({
    config: { bodyBytesMax: 1_000_000, rateLimitPerMinute: 0, platforms: platformNames(extra) },
  });
  const seen: unknown[] = [];
  const insight = {
    createInsight: ({ query }: { query?: { platforms: Platform[] } | undefined }) => {
      seen.push(query?.platforms);
      return Promise.resolve({ id: 1n, notice: "It runs." });
    },
    checkInsight: () => Promise.resolve({}),
    listPostings: () => Promise.resolve({}),
  };
  const messageOf = async (response: Response): Promise<unknown> =>
    ((await response.json()) as { details?: { message: string }[] }).details?.[0]?.message;
  const create = (platform: string) => gateway.post(INSIGHTS, { query: { ...QUERY, platforms: [platform] } });
  const filter = (platform: string) =>
    fetch(`${gateway.url}${INSIGHTS}/1/postings?platform=${platform}`, { headers: { authorization: AUTHORIZATION } });
  const erase = (platform: string) =>
    fetch(`${gateway.url}${INSIGHTS}/postings?platform=${platform}&social_id=1`, {
      method: "DELETE",
      headers: { authorization: AUTHORIZATION },
    });

  it.each(["create", "filter", "erase"] as const)("are unknown to the others when they %s", async (what) => {
    await gateway.start({ insight });
    const ask = { create, filter, erase }[what];
    for (const platform of ["bluesky", "mastodon", "elsewhere"]) {
      const response = await ask(platform);
      expect(response.status).toBe(400);
      expect(await messageOf(response)).toBe(`Give one of these: ${NINE}.`);
    }
  });

  it("are accepted where the settings name them, and listed in sentences and in the document", async () => {
    await gateway.start({ insight }, config(["bluesky"]));
    expect((await create("bluesky")).status).toBe(200);
    expect(seen).toEqual([[Platform.BLUESKY]]);
    expect(await messageOf(await create("mastodon"))).toBe(`Give one of these: ${NINE}, bluesky.`);
    expect((await filter("bluesky")).status).toBe(200);
    const document = (await (await fetch(`${gateway.url}/openapi.json`)).json()) as {
      components: { schemas: { Platform: { enum: string[] } } };
    };
    expect(document.components.schemas.Platform.enum).toEqual([...NINE.split(", "), "bluesky"]);
  });
});
