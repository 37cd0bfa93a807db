import type { UploadFileRequest } from "@hourglass/proto/media/v1/media_service";
import { AppError } from "@hourglass/runtime";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  AUTHORIZATION,
  startGateway,
  type FakeHandlers,
  type GatewayUnderTest,
} from "../testing/gateway-under-test.js";
import { RawConnection } from "../testing/raw-connection.js";

const UPLOAD = "/api/v2/products/api/operations/upload";
const MIB = 1_048_576;
const CONFIG = { bodyBytesMax: 1000, rateLimitPerMinute: 0, uploadBytesMax: 100 * MIB };
const HEAD = '--b\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n';
const END = "\r\n--b--\r\n";

type Requests = AsyncIterable<UploadFileRequest>;

async function read(requests: Requests): Promise<number> {
  let bytes = 0;
  for await (const { part } of requests) if (part.case === "chunk") bytes += part.value.length;
  return bytes;
}

describe("an upload through the gateway", () => {
  let gateway: GatewayUnderTest | undefined;

  afterEach(async () => {
    await gateway?.stop(100);
    gateway = undefined;
  });

  async function start(
    uploadFile: (requests: Requests) => Promise<{ id: bigint }>,
    config: object = {},
  ): Promise<void> {
    const media: FakeHandlers["media"] = { uploadFile };
    gateway = await startGateway({ media }, { config: { ...CONFIG, ...config } });
  }

  const send = (file: string): Promise<Response> =>
    fetch(`${gateway?.url}${UPLOAD}`, {
      method: "POST",
      headers: { authorization: AUTHORIZATION, "content-type": "multipart/form-data; boundary=b" },
      body: HEAD + file + END,
    });

  async function open(contentLength: number): Promise<RawConnection> {
    const connection = await RawConnection.open(gateway?.port ?? 0);
    connection.write(
      `POST ${UPLOAD} HTTP/1.1\r\nHost: h\r\nAuthorization: ${AUTHORIZATION}\r\n` +
        `Content-Type: multipart/form-data; boundary=b\r\nContent-Length: ${contentLength}\r\n\r\n`,
    );
    return connection;
  }

  it("is not bound by the limit of other bodies, nor by what is held for them", async () => {
    await start(async (requests) => ({ id: BigInt(await read(requests)) }), { heldBytesMax: 1000 });
    const answers = await Promise.all([1, 2, 3].map((id) => send("x".repeat(id * MIB))));
    const bodies = (await Promise.all(answers.map((answer) => answer.json()))) as { id: number }[];
    expect(bodies.map(({ id }) => id)).toEqual([MIB, 2 * MIB, 3 * MIB]);
  });

  it("comes no faster than it is stored", async () => {
    let goOn = (): void => undefined;
    const gate = new Promise<void>((resolve) => (goOn = resolve));
    await start(async (requests) => {
      for await (const { part } of requests) if (part.case === "chunk") await gate;
      return { id: 1n };
    });
    const length = 64 * MIB;
    const connection = await open(length + HEAD.length + END.length);
    connection.write(HEAD);
    for (let written = 0; written < length; written += MIB) connection.write("x".repeat(MIB));
    connection.write(END);
    const { socket } = connection;
    const sent = () => socket.bytesWritten - socket.writableLength;
    await vi.waitFor(() => expect(sent()).toBeGreaterThan(0));
    // Waits until no more bytes move: those sent by then are in the kernel's buffers.
    await vi.waitFor(async () => {
      const before = sent();
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(sent()).toBe(before);
    });
    expect(sent()).toBeLessThan(length / 2);
    goOn();
    await vi.waitFor(() => expect(connection.statuses).toEqual([201]));
    connection.end();
  });

  it("marks its last chunk, and none when its client left", async () => {
    const marks: { announced: boolean; last: boolean }[] = [];
    await start(async (requests) => {
      const seen = { announced: false, last: false };
      try {
        for await (const { part, last } of requests) {
          if (part.case === "metadata") seen.announced = part.value.marksLast;
          seen.last = last;
        }
      } finally {
        marks.push(seen);
      }
      return { id: 1n };
    });
    expect((await send("some")).status).toBe(201);
    const leaving = await open(100_000);
    leaving.write(`${HEAD}some`);
    leaving.end();
    await vi.waitFor(() => expect(marks).toHaveLength(2));
    expect(marks).toEqual([
      { announced: true, last: true },
      { announced: true, last: false },
    ]);
  });

  it("is cut with 408 when its client is too slow", async () => {
    const ends: (number | AppError)[] = [];
    await start(
      async (requests) => {
        await read(requests).then(
          (bytes) => ends.push(bytes),
          (error: unknown) => {
            ends.push(AppError.from(error));
            throw error;
          },
        );
        return { id: 1n };
      },
      { paceWindowMs: 400, bytesPerSecondMin: 1000 },
    );
    const slow = await open(100_000);
    slow.write(`${HEAD}some`);
    await slow.untilClosed(20_000);
    expect(slow.statuses).toEqual([408]);
    await vi.waitFor(() => expect(ends).toMatchObject([{ kind: "invalid" }]));
  });

  it("ends for the service when its client leaves", async () => {
    const ends: unknown[] = [];
    await start(async (requests) => {
      await read(requests).catch((error: unknown) => {
        ends.push(error);
        throw error;
      });
      return { id: 1n };
    });
    const leaver = await open(100_000);
    leaver.write(HEAD + "x".repeat(5000));
    await new Promise((resolve) => setTimeout(resolve, 50));
    leaver.end();
    await vi.waitFor(() => expect(ends).toMatchObject([{ kind: "cancelled" }]));
  });

  it.each([
    [507, new AppError("unavailable", "The storage is full.", { code: "storage_full" }), null],
    [503, new AppError("unavailable", "The storage is unavailable.", { retryAfterMs: 3000 }), "3"],
    [413, new AppError("too-large", "Too large."), null],
    [400, AppError.invalid([{ field: "file", message: "is a poem" }], "unsupported_file"), null],
  ])("answers %i at once when the service fails so, whatever is still to come", async (status, failure, retryAfter) => {
    await start(() => Promise.reject(failure));
    const connection = await open(50 * MIB);
    connection.write(HEAD + "x".repeat(10_000));
    await vi.waitFor(() => expect(connection.statuses).toEqual([status]));
    expect(connection.text).toContain(`"code":"${failure.code}"`);
    if (retryAfter !== null) expect(connection.text).toContain(`Retry-After: ${retryAfter}\r\n`);
    connection.end();
  });

  it("is answered when it is refused, also to a client who sends all of it before it looks for an answer", async () => {
    await start(() => Promise.reject(AppError.invalid([{ field: "file", message: "is a poem" }])));
    const connection = await open(20 * MIB);
    const { socket } = connection;
    socket.pause();
    connection.write(HEAD);
    const rest = Buffer.alloc(20 * MIB - HEAD.length);
    await new Promise<void>((resolve, reject) => socket.write(rest, (error) => (error ? reject(error) : resolve())));
    socket.resume();
    await vi.waitFor(() => expect(connection.statuses).toEqual([400]));
    await connection.untilClosed(20_000);
  });

  it("is stored while others stall, on their way in or in the storage", async () => {
    let goOn = (): void => undefined;
    const gate = new Promise<void>((resolve) => (goOn = resolve));
    await start(async (requests) => {
      const bytes = await read(requests);
      if (bytes === 3) await gate;
      return { id: BigInt(bytes) };
    });
    const inStorage = [1, 2, 3, 4].map(() => send("abc"));
    for (let count = 0; count < 4; count++) (await open(MIB)).write(`${HEAD}some`);
    expect((await send("x".repeat(MIB))).status).toBe(201);
    goOn();
    for (const { status } of await Promise.all(inStorage)) expect(status).toBe(201);
  });

  it("may come in chunks whose number nobody knows, be they tiny", async () => {
    await start(async (requests) => ({ id: BigInt(await read(requests)) }));
    const connection = await RawConnection.open(gateway?.port ?? 0);
    connection.write(
      `POST ${UPLOAD} HTTP/1.1\r\nHost: h\r\nAuthorization: ${AUTHORIZATION}\r\n` +
        "Content-Type: multipart/form-data; boundary=b\r\nTransfer-Encoding: chunked\r\n\r\n",
    );
    for (const character of `${HEAD}${"x\r\n-".repeat(500)}${END}`) connection.write(`1\r\n${character}\r\n`);
    connection.write("0\r\n\r\n");
    await vi.waitFor(() => expect(connection.statuses).toEqual([201]));
    expect(connection.text).toContain('{"id":2000}');
    connection.end();
  });

  describe("as a form of other clients", () => {
    const BYTES = Buffer.from([0x89, 13, 10, 45, 45, 97, 98, 13, 10, 0, 13, 10, 45, 45, 255, 13]); // looks like a boundary
    const received: { name: string; bytes: Buffer }[] = [];

    beforeEach(async () => {
      received.length = 0;
      await start(async (requests) => {
        const file = { name: "", bytes: Buffer.of() };
        for await (const { part } of requests) {
          if (part.case === "metadata") file.name = part.value.name;
          if (part.case === "chunk") file.bytes = Buffer.concat([file.bytes, part.value]);
        }
        received.push(file);
        return { id: 1n };
      });
    });

    /** Sends a form; in its text, FILE stands for bytes. In pieces, each byte arrives by itself. */
    async function post(
      text: string,
      { type = "multipart/form-data; boundary=b", file = BYTES, inPieces = false } = {},
    ): Promise<{ status: number; body: { code?: string; error?: string; details?: { field: string }[] } }> {
      const [before = "", after = ""] = text.split("FILE");
      const body = Buffer.concat([Buffer.from(before, "latin1"), file, Buffer.from(after, "latin1")]);
      const pieces = inPieces ? Array.from(body, (byte) => Buffer.of(byte)) : [body];
      const answer = await fetch(`${gateway?.url}${UPLOAD}`, {
        method: "POST",
        headers: { authorization: AUTHORIZATION, "content-type": type },
        body: new ReadableStream({
          async pull(controller) {
            const piece = pieces.shift();
            if (piece === undefined) controller.close();
            else controller.enqueue(piece);
            await new Promise(setImmediate);
          },
        }),
        duplex: "half",
      });
      return { status: answer.status, body: (await answer.json()) as { code?: string } };
    }

    const form = (disposition = 'form-data; name="file"; filename="f"', more = "") =>
      `--b\r\nContent-Disposition: ${disposition}\r\n${more}\r\nFILE\r\n--b--\r\n`;

    it.each([
      ["multipart/form-data; boundary=b", "b"],
      ['multipart/form-data; boundary="b"', "b"],
      ["multipart/form-data;boundary=b", "b"],
      ["Multipart/Form-Data; Boundary=b", "b"],
      ["multipart/form-data; boundary=b   ", "b"],
      ["multipart/form-data; boundary=b;", "b"],
      ["multipart/form-data; charset=utf-8; boundary=b", "b"],
      ["multipart/form-data; boundary=b; charset=UTF-8", "b"],
      ["multipart/form-data; boundary=ab/cd", "ab/cd"],
      ["multipart/form-data; boundary=----=_Part_1_2.3:4,5?(6)", "----=_Part_1_2.3:4,5?(6)"],
      ['multipart/form-data; boundary="a b;c"', "a b;c"],
      ['multipart/form-data; boundary="a\\"b"', 'a"b'],
      ["multipart/form-data; boundary=+'._-'+", "+'._-'+"],
    ])("is read with the Content-Type %s", async (type, boundary) => {
      expect(await post(form().replaceAll("--b", `--${boundary}`), { type })).toMatchObject({ status: 201 });
      expect(received).toEqual([{ name: "f", bytes: BYTES }]);
    });

    it.each([
      [
        "with fields before and after the file",
        `--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n${form().replace("--b--", '--b\r\nContent-Disposition: form-data; name="c"\r\nContent-Type: application/json\r\n\r\n{}\r\n--b--')}`,
      ],
      [
        "beside an empty choice of another file",
        `--b\r\nContent-Disposition: form-data; name="a"; filename=""\r\nContent-Type: application/octet-stream\r\n\r\n\r\n${form()}`,
      ],
      ["with a preamble and an epilogue", `This is a form.\r\n\r\n${form()}Bye --b\r\n`],
      ["without a line after its end", form().slice(0, -2)],
      [
        "with header names in other cases, and without blanks",
        form().replace("Content-Disposition: form-data; name", "CONTENT-DISPOSITION:form-data;NAME"),
      ],
      ["with a folded header", form('form-data; name="file";\r\n filename="f"')],
      ["with unquoted values", form("form-data; name=file; filename=f")],
      [
        "with other headers",
        form(
          undefined,
          "Content-Type: image/png; name=x\r\nContent-Length: 16\r\nContent-Transfer-Encoding: binary\r\nMIME-Version: 1.0\r\n",
        ),
      ],
    ])("is read %s, in one piece or byte by byte", async (_how, text) => {
      expect(await post(text)).toMatchObject({ status: 201 });
      expect(await post(text, { inPieces: true })).toMatchObject({ status: 201 });
      expect(received.map(({ name, bytes }) => [name, bytes.toString("hex")])).toEqual(
        Array.from({ length: 2 }, () => ["f", BYTES.toString("hex")]),
      );
    });

    it.each([
      ['form-data; name="file"; filename="a b;c.png"', "a b;c.png"],
      ['form-data; name="file"; filename="a \\"best\\" one.png"', 'a "best" one.png'],
      ['form-data; name="file"; filename="a "best" one.png"', 'a "best" one.png'],
      ['form-data; name="file"; filename=""best".png"', '"best".png'],
      ['form-data; filename="the "one""; name="file"', 'the "one"'],
      ['form-data; name="file"; filename="%22a%22 50%.png"', '"a" 50%.png'],
      ['form-data; name="file"; filename="C:\\Users\\ann\\a.png"', "a.png"],
      ['form-data; name="file"; filename="\xc3\x9cbung.png"', "Übung.png"],
      ['form-data; name="file"; filename="\xdcbung.png"', "Übung.png"],
      ['form-data; name="file"; filename="x"; filename*=UTF-8\'\'%C3%9Cbung.png', "Übung.png"],
      ["form-data; name=\"file\"; filename*=iso-8859-1'de'%DCbung.png", "Übung.png"],
      ['form-data; name="file"; filename="=?UTF-8?B?w5xidW5n?="', "Übung"],
      ['form-data; name="file"; filename="=?iso-8859-1?Q?=DCbung_1.png?="', "Übung 1.png"],
    ])("names its file by %s", async (disposition, name) => {
      expect(await post(form(disposition))).toMatchObject({ status: 201 });
      expect(await post(form(disposition), { inPieces: true })).toMatchObject({ status: 201 });
      expect(received).toEqual(Array.from({ length: 2 }, () => ({ name, bytes: BYTES })));
    });

    it("is decoded from base64", async () => {
      const file = Buffer.from(BYTES.toString("base64").replace(/.{7}/g, "$&\r\n"));
      const text = form(undefined, "Content-Transfer-Encoding: BASE64\r\n");
      expect(await post(text, { file, inPieces: true })).toMatchObject({ status: 201 });
      expect(received).toEqual([{ name: "f", bytes: BYTES }]);
      expect(await post(text, { file: Buffer.from("no base64!") })).toMatchObject({ status: 400 });
    });

    it.each([
      ["has no boundary", form(), { type: "multipart/form-data" }, "malformed_form"],
      ["has another boundary", form(), { type: "multipart/form-data; boundary=c" }, "malformed_form"],
      ["has no end, and may have been cut", form().replace("--b--", ""), {}, "malformed_form"],
      ["ends within its headers", "--b\r\nContent-Disposition: form-data;FILE", {}, "malformed_form"],
      ["has a header without a name", form(undefined, "no colon\r\n"), {}, "malformed_form"],
      [
        "is encoded as only mail is",
        form(undefined, "Content-Transfer-Encoding: quoted-printable\r\n"),
        {},
        "malformed_form",
      ],
      [
        "has a text where the file belongs",
        form('form-data; name="file"', "Content-Type: text/plain\r\n"),
        {},
        "file_missing",
      ],
      [
        "has a file without a name",
        form('form-data; name="file"; filename=""', "Content-Type: image/png\r\n"),
        {},
        "file_missing",
      ],
      ["has a part without a name", form("form-data"), {}, "malformed_form"],
      ["has two files", form().replace("--b--", form()), {}, "malformed_form"],
    ])("is refused if it %s", async (_what, text, options, code) => {
      expect(await post(text, options)).toMatchObject({ status: 400, body: { code } });
      expect(received).toEqual([]);
    });
  });

  it("is asked for only once it may come", async () => {
    await start(async (requests) => ({ id: BigInt(await read(requests)) }));
    const head = (contentLength: number, token: string) =>
      `POST ${UPLOAD} HTTP/1.1\r\nHost: h\r\nAuthorization: ${token}\r\nExpect: 100-continue\r\n` +
      `Content-Type: multipart/form-data; boundary=b\r\nContent-Length: ${contentLength}\r\n\r\n`;
    const refused = await RawConnection.open(gateway?.port ?? 0);
    refused.write(head(200 * MIB, AUTHORIZATION));
    await vi.waitFor(() => expect(refused.statuses).toEqual([413]));
    const unknown = await RawConnection.open(gateway?.port ?? 0);
    unknown.write(head(100, "Bearer forged"));
    await vi.waitFor(() => expect(unknown.statuses).toEqual([401]));
    const welcome = await RawConnection.open(gateway?.port ?? 0);
    welcome.write(head(HEAD.length + 3 + END.length, AUTHORIZATION));
    await vi.waitFor(() => expect(welcome.statuses).toEqual([100]));
    welcome.write(`${HEAD}abc${END}`);
    await vi.waitFor(() => expect(welcome.statuses).toEqual([100, 201]));
    for (const connection of [refused, unknown, welcome]) connection.end();
  });
});
