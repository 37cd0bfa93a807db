import type { Writable } from "node:stream";
import { FileMetadataSchema } from "@hourglass/proto/media/v1/media_service";
import { AppError, lengthMaxOf } from "@hourglass/runtime";
import type { Request, Response } from "express";
import multer, { MulterError, type FileFilterCallback, type StorageEngine } from "multer";
import { fromBase64 } from "./body.js";
import { RefusedRequest } from "./errors.js";
import { hasBody } from "./headers.js";
import { PartHeads } from "./part-heads.js";
import type { RequestContext } from "./request-context.js";

/** A file that is being received. */
export interface IncomingFile {
  /** Name given by the client, cut to the length that the contract allows. */
  name: string;
  /** Ends once the whole form has arrived and contains nothing else; fails otherwise. */
  bytes: AsyncIterable<Uint8Array>;
}

/** Stores a file while it arrives. Fails with AppError, among others if `bytes` fails. */
export type StoreFile<T> = (file: IncomingFile, signal: AbortSignal) => Promise<T>;

/** Name of the part that holds the file. */
const PART = "file";
/** Maximum size of a form besides the file: boundaries, part headers, ignored fields. In bytes. */
const FORM_BYTES_MAX = 65_536;
const NAMELESS = 'Give this part a file name, such as filename="photo.jpg".';
/** Of Content-Transfer-Encoding, which only old libraries send. */
const BASE64 = "base64";
const ENCODINGS: ReadonlySet<string> = new Set(["7bit", "8bit", "binary", BASE64]);
const NAME_CHARACTERS_MAX = lengthMaxOf(FileMetadataSchema, "name");
/** A service that has not answered this long after the end of the body counts as unavailable. In milliseconds. */
const ANSWER_TIMEOUT_MS = 30_000;

/**
 * Bytes that the parser may hold beyond a piece that waits for the storage. More is no faster, and pieces that wait for
 * long are freed last by the garbage collector.
 */
const READ_AHEAD_BYTES = 16_384;

const LIMITS = {
  parts: 32,
  fields: 32,
  fieldSize: 4096,
  fieldNameSize: 100,
  fieldNestingDepth: 4,
  fieldArrayIndexLimit: 100,
  headerPairs: 32,
};

/**
 * Receives a multipart/form-data form with exactly one file, in the part `file`, and passes the file on as it arrives:
 * no faster than it is stored, and never buffered here. Other fields are ignored. Fails as soon as an error is found.
 */
export function receiveFile<T>(context: RequestContext, fileBytesMax: number, store: StoreFile<T>): Promise<T> {
  return new FileForm(context, fileBytesMax, store).receive();
}

/** What the parser tells of a file. */
interface PartInfo {
  readonly filename?: string;
  readonly encoding: string;
}

/** Tells multer that a file was not stored; the reason is in `failure`. */
const NOT_STORED = new Error("not stored");

class FileForm<T> implements StorageEngine {
  private stored: Promise<T> | undefined;
  private parser: Writable | undefined;
  private bytes = 0;
  /** Content-Transfer-Encoding of the file that begins. */
  private encoding = "";
  private failure: AppError | undefined;
  /** Settles when the whole form has arrived or has failed. */
  private readonly form: Promise<void>;
  private formComplete!: () => void;
  private formFailed!: (error: AppError) => void;
  private readonly patience = new AbortController();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly context: RequestContext,
    private readonly fileBytesMax: number,
    private readonly store: StoreFile<T>,
  ) {
    this.form = new Promise((resolve, reject) => {
      this.formComplete = resolve;
      this.formFailed = reject;
    });
    this.form.catch(() => undefined); // reported to `receive`, which may not wait for it yet
  }

  async receive(): Promise<T> {
    const { req } = this.context;
    if (this.context.isOver) throw clientGone();
    if (Number(req.headers["content-length"] ?? 0) > this.bodyBytesMax) throw this.tooLarge();
    const boundary = boundaryOf(req.headers["content-type"]);
    if (boundary === undefined) throw hasBody(req) ? malformed() : fileMissing();
    req.headers["content-type"] = formType(boundary);
    this.context.sendContinue();
    this.parse(boundary);
    try {
      await this.form;
      if (this.stored === undefined) throw fileMissing();
      return await this.stored;
    } catch (error) {
      // By then the service has removed what it had stored, unless it does not answer.
      await this.stored?.catch(() => undefined);
      throw this.failure ?? error;
    } finally {
      clearTimeout(this.timer);
      this.context.received();
    }
  }

  /** Called by multer for an accepted file. */
  _handleFile(_req: Request, file: Express.Multer.File, settle: (error?: Error) => void): void {
    const name = [...baseNameOf(file.originalname)].slice(0, NAME_CHARACTERS_MAX).join("");
    const bytes = this.bytesOf(this.encoding === BASE64 ? fromBase64(file.stream) : file.stream, settle);
    this.stored = this.store({ name, bytes }, this.patience.signal);
    this.stored.catch((error: unknown) => this.fail(AppError.from(error)));
  }

  /** Called by multer if a form turns out to be invalid after its file: the file was never accepted. */
  _removeFile(_req: Request, _file: Express.Multer.File, settle: (error: Error | null) => void): void {
    settle(null);
  }

  private get bodyBytesMax(): number {
    return this.fileBytesMax + FORM_BYTES_MAX;
  }

  private parse(boundary: string): void {
    const { req, res } = this.context;
    const options = {
      storage: this,
      limits: LIMITS,
      // Names are decoded here: they may be in another charset, and a folder ends where the decoded name says.
      defParamCharset: "latin1",
      preservePath: true,
      highWaterMark: READ_AHEAD_BYTES,
      fileHwm: READ_AHEAD_BYTES,
      fileFilter: (_req: unknown, file: Express.Multer.File, decide: FileFilterCallback) => {
        const objection = this.objectionTo(file.fieldname);
        if (objection === undefined) {
          decide(null, true);
        } else {
          this.fail(objection);
          decide(objection);
        }
      },
      streamHandler: (_req: unknown, parser: Writable) => this.feed(parser, boundary),
    };
    multer(options).any()(req as Request, res as Response, (error: unknown) => {
      if (error === undefined || error === null) this.complete();
      else if (error !== NOT_STORED) this.fail(this.explain(error));
      else void this.stored?.then(() => this.complete()).catch(() => undefined); // the form has already failed
    });
  }

  private feed(parser: Writable, boundary: string): void {
    const { req } = this.context;
    const heads = new PartHeads(boundary, READ_AHEAD_BYTES);
    this.parser = parser;
    this.observeParts(parser);
    this.context.receiving(
      () => this.bytes,
      () => {
        this.context.abandoned = true;
        this.fail(
          new RefusedRequest(408, "The body did not arrive in time. Send the file again.", { code: "request_timeout" }),
        );
      },
      // While the storage is slower than the client, the gateway does not wait for the client.
      () => !parser.writableNeedDrain && !heads.writableNeedDrain,
    );
    req.on("data", (chunk: Buffer) => {
      this.bytes += chunk.length;
      if (this.bytes > this.bodyBytesMax) this.fail(this.tooLarge());
    });
    req.once("end", () => this.context.received());
    req.pipe(heads).pipe(parser);
    // What follows a failure is read and dropped.
    parser.once("close", () => {
      req.unpipe(heads);
      req.resume();
    });
  }

  /**
   * Notes how files are encoded, and refuses those without a name: for the parser, such a part is a field, or a file that
   * it skips; truncated, it would be "too long".
   */
  private observeParts(parser: Writable): void {
    const refuse = (fieldName: unknown, fileName?: string) => {
      if (fieldName !== PART || fileName) return;
      this.fail(AppError.invalid([{ field: PART, message: NAMELESS }], "file_missing"));
    };
    parser.prependListener("field", (fieldName) => refuse(fieldName));
    parser.prependListener("file", (fieldName, _stream, { filename, encoding }: PartInfo) => {
      this.encoding = encoding.trim();
      refuse(fieldName, filename);
    });
  }

  private objectionTo(fieldName: string): AppError | undefined {
    if (fieldName !== PART) return wrong(readableName(fieldName), `Send the file in the part named "${PART}" instead.`);
    if (this.stored !== undefined) return wrong(PART, "Send only one file at a time.");
    if (ENCODINGS.has(this.encoding)) return undefined;
    return wrong(PART, "Send the bytes of the file as they are, without Content-Transfer-Encoding.");
  }

  private async *bytesOf(sent: AsyncIterable<Uint8Array>, settle: (error?: Error) => void): AsyncGenerator<Uint8Array> {
    let size = 0;
    let complete = false;
    try {
      for await (const chunk of sent) {
        size += chunk.length;
        if (size > this.fileBytesMax) throw this.tooLarge();
        yield chunk;
      }
      complete = true;
      settle(); // lets multer continue with what follows the file
      await this.form;
    } catch (error) {
      const failure = this.explain(error);
      this.fail(failure);
      throw this.failure ?? failure;
    } finally {
      if (!complete) settle(NOT_STORED);
    }
  }

  private complete(): void {
    this.limitWaiting();
    this.formComplete();
  }

  /** Only the first failure counts; later ones follow from it. */
  private fail(error: AppError): void {
    if (this.failure !== undefined) return;
    this.failure = error;
    this.limitWaiting();
    this.formFailed(error);
    this.parser?.destroy(error);
  }

  private limitWaiting(): void {
    this.timer ??= setTimeout(() => {
      this.patience.abort(new AppError("deadline", "Storing the file took too long. Try again later."));
    }, ANSWER_TIMEOUT_MS);
  }

  private explain(error: unknown): AppError {
    if (error instanceof AppError) return error;
    // Node also marks a request that has arrived completely as destroyed.
    if (!this.context.req.complete && this.context.req.destroyed) return clientGone();
    if (error instanceof MulterError) return wrong(error.field ?? "body", remedyFor(error));
    // Everything else is an error of the parser about a malformed form.
    return malformed();
  }

  private tooLarge(): AppError {
    const message = `The file is larger than the ${this.fileBytesMax} bytes that are allowed. Send a smaller one.`;
    return new AppError("too-large", message, { code: "file_too_large" });
  }
}

function clientGone(): AppError {
  return new AppError("cancelled", "The client left before its file had arrived.");
}

function malformed(): AppError {
  return new AppError(
    "invalid",
    "The body is not a well-formed form. Send it as multipart/form-data with the boundary of its Content-Type.",
    { code: "malformed_form" },
  );
}

function wrong(field: string, message: string): AppError {
  return AppError.invalid([{ field, message }], "malformed_form");
}

function fileMissing(): AppError {
  const message = `Send the file in a part named "${PART}": there is none.`;
  return AppError.invalid([{ field: PART, message }], "file_missing");
}

const REMEDIES: Partial<Record<MulterError["code"], string>> = {
  LIMIT_PART_COUNT: "Send a form with fewer parts.",
  LIMIT_FIELD_KEY: "Give the parts of the form shorter names.",
  LIMIT_FIELD_VALUE: "Leave out this field: its value is too long.",
  LIMIT_FIELD_COUNT: "Send a form with fewer fields.",
};

/** The remedy for a form that the parser refuses, as a complete sentence. */
function remedyFor({ code }: MulterError): string {
  return REMEDIES[code] ?? "Send a form that holds the file and nothing else.";
}

/**
 * The boundary of a form. Without quotes it may only have characters of tokens; phones and old libraries send others as well,
 * and then it ends at the next semicolon.
 */
function boundaryOf(contentType: string | undefined): string | undefined {
  const [, quoted, plain] = /;\s*boundary\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*))/i.exec(contentType ?? "") ?? [];
  const boundary = quoted?.replace(/\\(.)/g, "$1") ?? plain?.trim() ?? "";
  return boundary === "" ? undefined : boundary;
}

/** The Content-Type of a form as its parser reads it. */
function formType(boundary: string): string {
  return `multipart/form-data; boundary="${boundary.replace(/["\\]/g, "\\$&")}"`;
}

/** A name in a header as people read it: browsers send it in UTF-8, others in the charset of Windows or as in mail. */
function readableName(raw: string): string {
  if (raw.includes("=?")) return raw.replace(ENCODED_WORD, decodeWord);
  return decoded(Buffer.from(raw, "latin1"), "utf-8");
}

/** The name of a file without the folders that some clients send with it. */
function baseNameOf(raw: string): string {
  const name = readableName(raw);
  return name.slice(Math.max(name.lastIndexOf("/"), name.lastIndexOf("\\")) + 1);
}

/** RFC 2047. */
const ENCODED_WORD = /=\?([^?]+)\?([bq])\?([^?]*)\?=/gi;

function decodeWord(_word: string, charset: string, encoding: string, text: string): string {
  if (encoding.toLowerCase() === "b") return decoded(Buffer.from(text, "base64"), charset);
  const bytes = text
    .replaceAll("_", " ")
    .replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return decoded(Buffer.from(bytes, "latin1"), charset);
}

/** Text in a charset; in the one of Windows, where all bytes have a meaning, if it is not valid or not known. */
function decoded(bytes: Uint8Array, charset: string): string {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
