import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { png } from "../support/png.js";
import { startServer, TRANSPORTS, type Answer, type TestServer } from "../support/server.js";
import { admin, USER_PASSWORD } from "./admin.js";
import { FORM_TYPE, formOf } from "./multipart.js";
import { fieldsOf, UPLOAD, User, type Failure } from "./routes.js";
import { made, tone } from "./sample-files.js";

const STRANGER = "stranger@example.com";

/** A JPG that is stored lying and shown upright: red above, blue below. */
function turnedPhoto(): Promise<Buffer> {
  const left = { create: { width: 300, height: 400, channels: 3 as const, background: "red" } };
  const right = { input: { create: { ...left.create, background: "blue" } }, left: 300, top: 0 };
  const lying = sharp({ create: { ...left.create, width: 600 } }).composite([right]);
  return lying.withMetadata({ orientation: 6 }).jpeg().toBuffer();
}

describe.each(TRANSPORTS)("the content of uploaded files, services %s", (transport) => {
  let server: TestServer;
  let user: User;
  let stranger: User;

  beforeAll(async () => {
    server = await startServer({}, transport);
    await admin(server.storage, "company", "create", "--name", "Other");
    await admin(server.storage, "user", "create", "--email", STRANGER, "--company", "Other");
    user = await User.signIn(server);
    stranger = await User.signIn(server, STRANGER, USER_PASSWORD);
  });
  afterAll(() => server.close());

  async function upload(body: Uint8Array, name = "a file"): Promise<string> {
    const form = formOf([{ disposition: `name="file"; filename="${name}"`, body }]);
    const answer = await user.send("POST", UPLOAD, { body: form, headers: { "content-type": FORM_TYPE } });
    expect(answer.status, answer.text).toBe(201);
    return answer.headers.get("location") ?? "";
  }

  /** Bytes and headers of an answer; with the user's token unless the path is a link. */
  async function fetched(path: string, headers: Record<string, string> = {}, method = "GET") {
    const token = path.includes("/links/") ? {} : { authorization: user.authorization };
    const response = await fetch(new URL(path, server.url), { method, headers: { ...token, ...headers } });
    return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
  }

  it("is what was uploaded, with its own type, shown but never run", async () => {
    const picture = png({ width: 30, height: 20, words: "<script>" });
    const path = `${await upload(picture, "Ferien \u{1f600} (1).html")}/content`;
    const { status, headers, bytes } = await fetched(path);
    expect(status).toBe(200);
    expect(bytes.equals(picture)).toBe(true);
    expect(headers.get("content-type")).toBe("image/png");
    expect(headers.get("content-length")).toBe(String(picture.length));
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-security-policy")).toMatch(/(^|;) ?sandbox($|;)/);
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(headers.get("content-disposition")).toBe(
      `inline; filename="Ferien _ (1).png"; filename*=UTF-8''Ferien%20%F0%9F%98%80%20%281%29.png`,
    );
  });

  it("can be read in parts, asked for by HEAD, and known already", async () => {
    const sound = await tone();
    const path = `${await upload(sound)}/content`;
    const part = await fetched(path, { range: "bytes=100-199" });
    expect([part.status, part.headers.get("content-range")]).toEqual([206, `bytes 100-199/${sound.length}`]);
    expect(part.bytes.equals(sound.subarray(100, 200))).toBe(true);
    expect(part.headers.get("content-type")).toBe("audio/mpeg");
    const end = await fetched(path, { range: "bytes=-5" });
    expect(end.bytes.equals(sound.subarray(-5))).toBe(true);
    expect((await fetched(path, { range: `bytes=${sound.length}-` })).status).toBe(416);
    const head = await fetched(path, {}, "HEAD");
    expect([head.status, head.headers.get("content-length"), head.bytes.length]).toEqual([200, `${sound.length}`, 0]);
    const etag = head.headers.get("etag") ?? "";
    expect(etag).toMatch(/^"file-\d+-.+"$/);
    const known = await fetched(path, { "if-none-match": etag });
    expect([known.status, known.bytes.length, known.headers.get("etag")]).toEqual([304, 0, etag]);
  });

  it.each([64, 256, 1024])("is a WebP at most %i pixels wide of a picture as shown", async (width) => {
    const location = await upload(await turnedPhoto());
    expect((await user.get(location)).body).toMatchObject({ width: 400, height: 600 });
    const { status, headers, bytes } = await fetched(`${location}/content?width=${width}`);
    expect([status, headers.get("content-type")]).toEqual([200, "image/webp"]);
    expect(headers.get("content-security-policy")).toContain("sandbox");
    const shown = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
    const expected = Math.min(width, 400);
    expect([shown.info.width, shown.info.height]).toEqual([expected, expected * 1.5]);
    expect((await sharp(bytes).metadata()).format).toBe("webp");
    const [red, , blue] = shown.data;
    expect([(red ?? 0) > 200, (blue ?? 255) < 60]).toEqual([true, true]);
    const again = await fetched(`${location}/content?width=${width}`);
    expect(again.bytes.equals(bytes)).toBe(true);
    const known = await fetched(`${location}/content?width=${width}`, { "if-none-match": headers.get("etag") ?? "" });
    expect(known.status).toBe(304);
    expect((await fetched(`${location}/content?width=${width}`, {}, "HEAD")).status).toBe(200);
  });

  it("is a WebP of the first picture of a film", async () => {
    const graph = "color=red:s=320x240:d=1[a];color=blue:s=320x240:d=1[b];[a][b]concat[v]";
    const film = await made("mp4", "-filter_complex", graph, "-map", "[v]", "-pix_fmt", "yuv420p");
    const { status, bytes } = await fetched(`${await upload(film)}/content?width=64`);
    expect(status).toBe(200);
    const { info, data } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
    expect([info.width, info.height]).toEqual([64, 48]);
    const [red = 0, , blue = 255] = data;
    expect([red > 200, blue < 60]).toEqual([true, true]);
  });

  it("is no WebP of sound, nor of another width", async () => {
    const location = await upload(await tone());
    for (const method of ["GET", "HEAD"]) {
      expect((await user.send(method, `${location}/content?width=64`)).status).toBe(400);
    }
    for (const width of ["64", "0", "65", "x", "-1"]) {
      const answer = await user.get(`${location}/content?width=${width}`);
      expect([answer.status, fieldsOf(answer)], width).toEqual([400, ["width"]]);
    }
  });

  it("can be reached by a link without a token, for as long as the file exists", async () => {
    const picture = png({ width: 30, height: 20 });
    const location = await upload(picture);
    const answer = await user.post(`${location}/links`, {});
    expect(answer.status, answer.text).toBe(201);
    const { url, expires_at: end } = answer.body as { url: string; expires_at: string };
    expect(Date.parse(end) - Date.now()).toBeGreaterThan(280_000);
    expect((await fetched(url)).bytes.equals(picture)).toBe(true);
    expect((await fetched(url, { range: "bytes=0-7" })).status).toBe(206);
    expect((await fetched(`${url}?width=64`)).headers.get("content-type")).toBe("image/webp");
    expect((await fetched(`${url}?width=65`)).status).toBe(400);
    expect((await fetched(`${url}x`)).status).toBe(404);
    expect((await user.send("DELETE", location)).status).toBe(204);
    expect((await fetched(url)).status).toBe(404);
  });

  it("is of its company only", async () => {
    const location = await upload(png({ width: 3, height: 2 }));
    const foreign = [await stranger.get(`${location}/content`), await stranger.post(`${location}/links`, {})];
    const unknown: Answer = await user.get(`${UPLOAD}/999999/content`);
    for (const answer of [...foreign, unknown]) {
      expect([answer.status, (answer.body as Failure).error]).toEqual([404, (unknown.body as Failure).error]);
    }
    expect((await server.send("GET", `${location}/content`)).status).toBe(401);
  });
});
