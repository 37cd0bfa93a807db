import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { png } from "../support/png.js";
import { startServer, TRANSPORTS, type Answer, type TestServer } from "../support/server.js";
import { admin, USER_PASSWORD } from "./admin.js";
import { type ApiDocument, Documented } from "./documented.js";
import { FORM_TYPE, formOf } from "./multipart.js";
import { fieldsOf, OPERATIONS, UPLOAD, User, type Failure } from "./routes.js";
import { made, shortVideo, tone } from "./sample-files.js";

const STRANGER = "stranger@example.com";

/** Reading and deleting the records of uploaded files. */
describe.each(TRANSPORTS)("records of uploaded files, services %s", (transport) => {
  let server: TestServer;
  let user: User;
  let stranger: User;
  let documented: Documented;

  beforeAll(async () => {
    server = await startServer({}, transport);
    await admin(server.storage, "company", "create", "--name", "Other");
    await admin(server.storage, "user", "create", "--email", STRANGER, "--company", "Other");
    user = await User.signIn(server);
    stranger = await User.signIn(server, STRANGER, USER_PASSWORD);
    documented = new Documented((await server.send("GET", "/openapi.json")).body as ApiDocument);
  });
  afterAll(() => server.close());

  /** Path of the new file's record. */
  async function upload(body: Uint8Array, name = "a file", who = user): Promise<string> {
    const form = formOf([{ disposition: `name="file"; filename="${name}"`, body }]);
    const answer = await who.send("POST", UPLOAD, { body: form, headers: { "content-type": FORM_TYPE } });
    expect(answer.status, answer.text).toBe(201);
    return answer.headers.get("location") ?? "";
  }

  function recordIn(answer: Answer): Record<string, unknown> {
    expect(answer.status, answer.text).toBe(200);
    expect(documented.differences(answer.body, { $ref: "#/components/schemas/StoredFile" })).toEqual([]);
    return answer.body as Record<string, unknown>;
  }

  const listed = async (query = "", who = user) => {
    const answer = await who.get(UPLOAD + query);
    expect(answer.status, answer.text).toBe(200);
    expect(documented.differences(answer.body, { $ref: "#/components/schemas/FilePage" })).toEqual([]);
    return answer.body as { files: { id: number; name: string }[]; next_cursor: string | null };
  };

  it("stand where the Location of the upload leads, and tell what the bytes tell", async () => {
    const picture = png({ width: 30, height: 20 });
    const location = await upload(picture, "holidays.mp3");
    const record = recordIn(await user.get(location));
    expect(location).toBe(`${UPLOAD}/${String(record["id"])}`);
    expect(record).toMatchObject({ name: "holidays.mp3", type: "png", size: picture.length, width: 30, height: 20 });
    expect(record).toMatchObject({ duration: null, has_sound: false, state: "unused" });
    const days = (Date.parse(record["expires_at"] as string) - Date.parse(record["created_at"] as string)) / 86_400_000;
    expect(days).toBeCloseTo(7, 1);
  });

  it("tell the length of sound and video, and whether there is sound", async () => {
    const sound = recordIn(await user.get(await upload(await tone())));
    expect(sound).toMatchObject({ type: "mp3", width: null, height: null, has_sound: true });
    expect(sound["duration"]).toBeGreaterThan(0);
    const video = recordIn(await user.get(await upload(await shortVideo())));
    expect(video).toMatchObject({ type: "mp4", width: expect.any(Number), height: expect.any(Number) });
    expect(video["duration"]).toBeGreaterThan(0);
  });

  it("tell the size as it is shown", async () => {
    const film = await made("mp4", "-f", "lavfi", "-i", "testsrc=s=64x48:d=1:r=5", "-pix_fmt", "yuv420p");
    // Phones store pictures as their sensor lies, and say in the header of the track how to turn them.
    [0, 1, 0, -1, 0].forEach((value, at) => film.writeInt32BE(value * 0x10000, film.indexOf("tkhd") + 44 + 4 * at));
    const record = recordIn(await user.get(await upload(film)));
    expect(record).toMatchObject({ width: 48, height: 64 });
  });

  it("are listed, newest first and page by page, while no operation has used them", async () => {
    const names = ["first", "second", "third"];
    const locations: string[] = [];
    for (const name of names) locations.push(await upload(png(), name));
    const newest = await listed("?limit=2");
    expect(newest.files.map(({ name }) => name)).toEqual(["third", "second"]);
    const next = await listed(`?limit=1&cursor=${newest.next_cursor}`);
    expect(next.files.map(({ name }) => name)).toEqual(["first"]);
    const [id] = newest.files.map((file) => file.id);
    await user.analyze({ type: "file", analyses: ["object-id"], contents: [id] });
    expect((await listed()).files.map((file) => file.id)).not.toContain(id);
    expect(recordIn(await user.get(locations[2] ?? ""))).toMatchObject({ state: "used", expires_at: null });
    for (const query of ["?limit=0", "?limit=201", "?cursor=x"]) {
      expect((await user.get(UPLOAD + query)).status, query).toBe(400);
    }
  });

  it("go with a DELETE, together with the bytes; that of a used file is refused", async () => {
    const location = await upload(png());
    const id = Number(location.split("/").at(-1));
    expect((await user.send("DELETE", location)).status).toBe(204);
    for (const method of ["GET", "DELETE"]) expect((await user.send(method, location)).status).toBe(404);
    const refused = await user.post(OPERATIONS, { type: "file", analyses: ["object-id"], contents: [id] });
    expect(fieldsOf(refused)).toEqual(["contents[0]"]);
    const used = await upload(png());
    await user.analyze({ type: "file", analyses: ["object-id"], contents: [Number(used.split("/").at(-1))] });
    const answer = await user.send("DELETE", used);
    expect(answer.status).toBe(400);
    expect((answer.body as Failure).code).toBe("file_used");
    expect(recordIn(await user.get(used))).toMatchObject({ state: "used" });
  });

  it("exist for the file's company only", async () => {
    const location = await upload(png());
    for (const method of ["GET", "DELETE"]) {
      const foreign = await stranger.send(method, location);
      const ghost = await stranger.send(method, `${UPLOAD}/8999999999999`);
      expect(foreign.status).toBe(404);
      expect({ ...(foreign.body as Failure), request_id: "" }).toEqual({ ...(ghost.body as Failure), request_id: "" });
    }
    expect((await listed("", stranger)).files).toEqual([]);
    expect((await user.get(location)).status).toBe(200);
  });
});
