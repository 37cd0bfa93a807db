import { connect, type Socket } from "node:net";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { png } from "../support/png.js";
import { startServer, TRANSPORTS, type Answer, type TestServer } from "../support/server.js";
import { admin, USER_PASSWORD } from "./admin.js";
import { FORM_TYPE, formOf, type Part } from "./multipart.js";
import { fieldsOf, UPLOAD, User, type Failure } from "./routes.js";
import { made, tone } from "./sample-files.js";
import { type FileCount, type StoredFiles, storedFilesOf } from "./stored-files.js";

const BYTES_MAX = 2_000_000;

/** Uploads, the same for services called in this process and over real gRPC ports. */
describe.each(TRANSPORTS)("uploads, services %s", (transport) => {
  let server: TestServer;
  let files: StoredFiles;
  let user: User;

  beforeAll(async () => {
    server = await startServer({ MAX_UPLOAD_BYTES: String(BYTES_MAX), MAX_IMAGE_PIXELS: "1000000" }, transport);
    user = await User.signIn(server);
    files = storedFilesOf(server);
  });
  afterAll(async () => {
    await files.close();
    await server.close();
  });

  const send = (body: Uint8Array, headers: Record<string, string> = {}, who = user): Promise<Answer> =>
    who.send("POST", UPLOAD, { body, headers: { "content-type": FORM_TYPE, ...headers } });
  const upload = (file: Uint8Array, headers?: Record<string, string>, who?: User): Promise<Answer> =>
    send(formOf([{ body: file }]), headers, who);
  const idOf = (answer: Answer): number => {
    expect(answer.status, answer.text).toBe(201);
    return (answer.body as { id: number }).id;
  };

  /** Fails unless the server ends up with the same files as before. */
  async function expectNothingLeft({ kept }: Pick<FileCount, "kept">): Promise<void> {
    await vi.waitFor(async () => expect(await files.count()).toEqual({ kept, incoming: 0 }));
  }

  it("answers 201 with the id and where the file is", async () => {
    const answer = await upload(png());
    expect(answer.headers.get("location")).toBe(`${UPLOAD}/${idOf(answer)}`);
  });

  it("takes what a browser's form and other clients send", async () => {
    const form = new FormData();
    form.set("title", "Holidays");
    form.set("file", new Blob([png({ seed: 1 })]), "Übung.png");
    const response = await fetch(server.url + UPLOAD, {
      method: "POST",
      headers: { authorization: user.authorization },
      body: form,
    });
    expect(response.status).toBe(201);
    const encoded = [{ disposition: `name="file"; filename*=UTF-8''%C3%9Cbung.png`, body: png({ seed: 2 }) }];
    idOf(await send(formOf(encoded)));
  });

  it("takes no notice of the declared type and the name", async () => {
    const part = { disposition: 'name="file"; filename="a.mp3"', headers: ["Content-Type: audio/mpeg"], body: png() };
    idOf(await send(formOf([part])));
  });

  it("takes a file with something after its end, and keeps all of it", async () => {
    const file = Buffer.concat([png(), Buffer.from("\r\n<script>alert(1)</script>")]);
    const id = idOf(await upload(file));
    expect((await files.read(id)).equals(file)).toBe(true);
  });

  const jpg = () =>
    sharp({ create: { width: 64, height: 48, channels: 3, background: "teal" } })
      .jpeg()
      .toBuffer();
  const film = () => made("mp4", "-f", "lavfi", "-t", "1", "-i", "testsrc=s=64x48:r=5", "-pix_fmt", "yuv420p");
  const zeros = Buffer.alloc(300);
  it.each<[string, () => Promise<Buffer>]>([
    ["a JPG without the marker of its end", async () => (await jpg()).subarray(0, -2)],
    ["a sound that begins within a frame", async () => (await tone()).subarray(700)],
    [
      "a sound with stray bytes behind its tag",
      async () => Buffer.concat([Buffer.from("ID3\x04\0\0\0\0\0\0"), zeros, await tone()]),
    ],
    ["a film with padding behind its last box", async () => Buffer.concat([await film(), zeros])],
  ])("takes what every viewer shows and every player plays: %s", async (_what, make) => {
    idOf(await upload(await make()));
  });

  it.each([
    ["another kind of file", Buffer.from("%PDF-1.7\n".padEnd(2000, "x"))],
    ["text", Buffer.from("hello ".repeat(100))],
    ["a picture without its header", png().subarray(0, 30)],
    ["bytes of no kind", Buffer.alloc(100_000, 0xa5)],
    ["nothing but zeros", Buffer.alloc(100_000)],
    ["too many pixels", png({ width: 2000, height: 501 })],
    ["only the signature", png().subarray(0, 8)],
  ])("refuses %s with 400 and says why", async (_what, file) => {
    const before = await files.count();
    const answer = await upload(file);
    expect(answer.status, answer.text).toBe(400);
    expect(answer.body).toMatchObject({ code: "unsupported_file", details: [{ field: "file" }] });
    expect((answer.body as Failure).error).toMatch(/\.$/);
    await expectNothingLeft(before);
  });

  const fine = { body: png() };
  it.each<[string, readonly Part[], string]>([
    ["an empty file", [{ body: "" }], "file"],
    ["no part at all", [], "file"],
    ["another name", [{ ...fine, disposition: 'name="picture"; filename="f"' }], "picture"],
    ["no name", [{ ...fine, disposition: 'filename="f"' }], "body"],
    ["a text named file", [{ ...fine, body: "x", disposition: 'name="file"' }], "file"],
    ["no file name", [{ body: "abc", disposition: 'name="file"; filename=""' }], "file"],
    ["two files", [fine, fine], "file"],
    ["a second file of another name", [fine, { ...fine, disposition: 'name="other"; filename="f"' }], "other"],
    ["a name that only looks right", [{ ...fine, disposition: 'name="file[]"; filename="f"' }], "file[]"],
  ])("refuses %s with 400 and names the part", async (_what, parts, field) => {
    const before = await files.count();
    const answer = await send(formOf(parts));
    expect(answer.status, answer.text).toBe(400);
    expect(fieldsOf(answer)).toEqual([field]);
    await expectNothingLeft(before);
  });

  const octets = ["Content-Type: application/octet-stream"];
  it.each<[string, Part]>([
    ["no file name", { disposition: 'name="file"', body: "v".repeat(50_000) }],
    ["an empty file name", { disposition: 'name="file"; filename=""', body: "v".repeat(50_000) }],
    ["no file name, but a media type", { disposition: 'name="file"', headers: octets, body: png() }],
    ["an empty file name and a media type", { disposition: 'name="file"; filename=""', headers: octets, body: png() }],
  ])("says of a file with %s that its name is missing, whatever its size", async (_what, part) => {
    const answer = await send(formOf([part]));
    expect(answer.status, answer.text).toBe(400);
    expect(answer.body).toMatchObject({ code: "file_missing", details: [{ field: "file" }] });
    expect((answer.body as Failure).error).toContain("file name");
  });

  it.each<[string, readonly Part[]]>([
    ["names of prototypes", ["__proto__", "constructor[prototype][x]", "__proto__[x]", "toString"].map(named)],
    ["ordinary fields beside the file", ["a", "b[c]", "d[]"].map(named)],
  ])("ignores %s", async (_what, parts) => {
    idOf(await send(formOf([...parts, fine])));
    expect(({} as Record<string, unknown>)["x"]).toBeUndefined();
  });

  it.each<[string, readonly Part[]]>([
    ["deep names", [named(`a${"[b]".repeat(200)}`), fine]],
    ["a huge index", [named("a[4000000000]"), fine]],
    ["a long name", [named("a".repeat(5000)), fine]],
    ["a long value", [{ disposition: 'name="a"', body: "v".repeat(50_000) }, fine]],
    ["a thousand fields", [...Array.from({ length: 1000 }, (_, index) => named(`f${index}`)), fine]],
    ["giant headers", [{ ...fine, headers: [`X-Giant: ${"h".repeat(40_000)}`] }]],
    ["broken headers", [{ ...fine, headers: ["no colon here"] }]],
  ])("refuses %s with 400", async (_what, parts) => {
    const before = await files.count();
    const answer = await send(formOf(parts));
    expect(answer.status, answer.text).toBe(400);
    await expectNothingLeft(before);
  });

  it("refuses a form that has no end, no boundary, or is none", async () => {
    const before = await files.count();
    expect((await send(formOf([fine], { end: false }))).status).toBe(400);
    expect((await send(formOf([fine]), { "content-type": "multipart/form-data" })).status).toBe(400);
    expect((await send(Buffer.from("no form"))).status).toBe(400);
    expect((await send(Buffer.alloc(0))).status).toBe(400);
    expect((await send(Buffer.from("{}"), { "content-type": "application/json" })).status).toBe(415);
    expect((await send(formOf([fine]), { "content-encoding": "gzip" })).status).toBe(415);
    expect((await user.send("POST", UPLOAD)).status).toBe(400);
    await expectNothingLeft(before);
  });

  it("refuses a file that is too large with 413, before it was sent whole", async () => {
    const before = await files.count();
    const exact = png({ ballast: BYTES_MAX - png().length - 12 });
    expect(exact).toHaveLength(BYTES_MAX);
    idOf(await upload(exact));
    const answer = await upload(png({ ballast: BYTES_MAX - png().length - 11 }));
    expect(answer.status).toBe(413);
    expect(answer.body).toMatchObject({ code: "file_too_large" });
    const announced = await raw(server, user, { "Content-Length": "1000000000" });
    await vi.waitFor(() => expect(announced.text).toMatch(/^HTTP\/1.1 413 /));
    const endless = await raw(server, user, { "Transfer-Encoding": "chunked" });
    const chunk = png({ ballast: 100_000 });
    for (const bytes of [formOf([{ body: chunk }], { end: false }), ...Array<Buffer>(40).fill(Buffer.alloc(100_000))]) {
      endless.socket.write(`${bytes.length.toString(16)}\r\n`);
      endless.socket.write(bytes);
      endless.socket.write("\r\n");
    }
    await vi.waitFor(() => expect(endless.text).toMatch(/^HTTP\/1.1 413 /));
    await expectNothingLeft({ kept: before.kept + 1 });
  });

  it("keeps nothing of an upload whose client leaves, and closes what it opened", async () => {
    const before = await files.count();
    const body = formOf([{ body: png({ ballast: 1_500_000 }) }]);
    for (let round = 0; round < 20; round++) {
      const connection = await raw(server, user, { "Content-Length": String(body.length) });
      await new Promise<void>((resolve) => {
        connection.socket.write(body.subarray(0, 50_000 * (1 + (round % 10))), () => resolve());
      });
      if (round % 2 === 0) connection.socket.resetAndDestroy();
      else connection.socket.end();
    }
    await expectNothingLeft(before);
    idOf(await upload(png()));
  });

  it("lets an upload that broke off be sent again with its key, also when what came is a file, too", async () => {
    const sound = await tone();
    const before = await files.count();
    const body = formOf([{ body: sound }]);
    for (let round = 0; round < 5; round++) {
      const key = { "idempotency-key": `broken off ${transport} ${round}` };
      const connection = await raw(server, user, { "Content-Length": String(body.length), ...key });
      await new Promise<void>((resolve) => connection.socket.write(body.subarray(0, -2000), () => resolve()));
      connection.socket.resetAndDestroy();
      await expectNothingLeft({ kept: before.kept + round });
      idOf(await upload(sound, key));
    }
  });

  it("gives the same id again for the same key and bytes, and 400 for others", async () => {
    const key = { "idempotency-key": `key ${transport}` };
    const before = await files.count();
    const first = idOf(await upload(png({ seed: 7 }), key));
    expect(idOf(await upload(png({ seed: 7 }), key))).toBe(first);
    const other = await upload(png({ seed: 8 }), key);
    expect(other.status).toBe(400);
    expect(fieldsOf(other)).toEqual(["Idempotency-Key"]);
    const foreign = await upload(png({ seed: 8 }), key, await strangerOf(server, transport));
    expect(idOf(foreign)).not.toBe(first);
    await expectNothingLeft({ kept: before.kept + 2 });
  });

  it("gives one id to requests with the same key at the same moment", async () => {
    const key = { "idempotency-key": `twins ${transport}` };
    const before = await files.count();
    const answers = await Promise.all(Array.from({ length: 6 }, () => upload(png({ ballast: 200_000 }), key)));
    expect(new Set(answers.map(idOf)).size).toBe(1);
    await expectNothingLeft({ kept: before.kept + 1 });
  });

  it("keeps the key free when the upload was refused", async () => {
    const key = { "idempotency-key": `refused ${transport}` };
    expect((await upload(Buffer.from("text"), key)).status).toBe(400);
    idOf(await upload(png(), key));
  });

  it("takes many large uploads at a time", async () => {
    const file = formOf([{ body: png({ ballast: 1_900_000 }) }]);
    const ids = (await Promise.all(Array.from({ length: 20 }, () => send(file)))).map(idOf);
    expect(new Set(ids).size).toBe(20);
  });

  it("keeps exactly the bytes that were sent", async () => {
    const file = png({ seed: 0x123456, ballast: 300_000 });
    const id = idOf(await upload(file));
    expect((await files.read(id)).equals(file)).toBe(true);
  });
});

function named(name: string): Part {
  return { disposition: `name="${name}"`, body: "1" };
}

/** A user of another company. */
async function strangerOf(server: TestServer, name: string): Promise<User> {
  const company = `Stranger ${name}`;
  const email = `stranger-${name}@example.com`;
  await admin(server.storage, "company", "create", "--name", company);
  await admin(server.storage, "user", "create", "--email", email, "--company", company);
  return User.signIn(server, email, USER_PASSWORD);
}

/** An upload on a separate connection, whose body the test writes. */
async function raw(
  server: TestServer,
  user: User,
  headers: Record<string, string>,
): Promise<{ socket: Socket; readonly text: string }> {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  await new Promise<void>((resolve, reject) => socket.once("connect", resolve).once("error", reject));
  let text = "";
  socket.setEncoding("latin1");
  socket.on("data", (data: string) => (text += data));
  socket.on("error", () => undefined); // some of these tests are about being disconnected
  const lines = { Host: hostname, Authorization: user.authorization, "Content-Type": FORM_TYPE, ...headers };
  const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`POST ${UPLOAD} HTTP/1.1\r\n${head.join("")}\r\n`);
  return {
    socket,
    get text() {
      return text;
    },
  };
}
