import { LateFileError, type PreviewMaker, UnreadableFileError } from "@hourglass/analysis/previews";
import { AppError, type ByteRange, type IssuedLink, SharedKey, SignedLinks } from "@hourglass/runtime";
import { type FileRecord, type FileRepository, fileNotFound, PREVIEW_WIDTHS, type PreviewWidth } from "./store.js";

export interface ContentDeps {
  repository: FileRepository;
  /** Without it there are no small pictures. */
  previews: Pick<PreviewMaker, "make"> | undefined;
  now: () => number;
}

/** What is read of a file. */
export interface Reading {
  infoOnly: boolean;
  range: ByteRange;
  /** Pixels of a small picture that is read instead of the bytes. */
  width: number | undefined;
}

/** Bytes of a message. */
const CHUNK_BYTES = 262_144;

/** What people see or hear of files, by their ids or by links. */
export class FileContents {
  private readonly links: SignedLinks;
  /** Small pictures in the making, so that those who ask at the same time share one. */
  private readonly making = new Map<string, Promise<Uint8Array>>();

  constructor(private readonly deps: ContentDeps) {
    const key = new SharedKey(deps.repository.linkKeys, "links");
    this.links = new SignedLinks({ key, purpose: "file-link", now: deps.now });
  }

  /**
   * A link to a file that works for five minutes; the same request with the same idempotency key, if there is one, gets the
   * same link. AppError `not-found` for an unknown file.
   */
  async link(id: number, companyId: number, key = ""): Promise<IssuedLink & { replayed: boolean }> {
    const { repository } = this.deps;
    await repository.find(id, companyId);
    const { answer, replayed } = await repository.linkAnswers.once({ companyId, key, request: [id] }, async () => ({
      answer: await this.links.issue([id, companyId]),
      steps: [],
    }));
    return { ...answer, replayed };
  }

  /** The record behind a link. AppError `not-found` if the token was changed or has expired, or the file was deleted. */
  async linked(token: string): Promise<FileRecord> {
    const [id, companyId] = (await this.links.read(token)) ?? [];
    if (id === undefined || companyId === undefined) throw fileNotFound();
    return this.deps.repository.find(id, companyId);
  }

  /** The bytes that are read of a file. AppError `invalid` for a small picture of a file that has none. */
  async *read(record: FileRecord, { infoOnly, range, width }: Reading): AsyncGenerator<Uint8Array> {
    const wanted = PREVIEW_WIDTHS.find((each) => each === width);
    if (wanted !== undefined && record.facts?.hasPictures !== true) throw noPicture("The file has no pictures.");
    if (infoOnly) return;
    if (wanted === undefined) {
      yield* this.deps.repository.readBytes(record.id, range);
      return;
    }
    const webp = await this.preview(record, wanted);
    for (let at = 0; at < webp.length; at += CHUNK_BYTES) yield webp.subarray(at, at + CHUNK_BYTES);
  }

  private async preview(record: FileRecord, width: PreviewWidth): Promise<Uint8Array> {
    const kept = await this.deps.repository.readPreview(record.id, width);
    if (kept !== undefined) return kept;
    const key = `${record.id}-${width}`;
    const making = this.making.get(key) ?? this.make(record, width).finally(() => this.making.delete(key));
    this.making.set(key, making);
    return making;
  }

  /** Made to its end although its caller may leave, because the next one wants it, too; its time is limited anyway. */
  private async make(record: FileRecord, width: PreviewWidth): Promise<Uint8Array> {
    const { repository, previews } = this.deps;
    const { id, companyId, facts } = record;
    if (previews === undefined || facts === null) {
      throw new AppError("unimplemented", "This server makes no small pictures of files.");
    }
    try {
      const signal = new AbortController().signal;
      const webp = await previews.make(repository.readBytes(id), { facts, width, owner: companyId, signal });
      await repository.putPreview(record, width, webp);
      return webp;
    } catch (error) {
      if (error instanceof UnreadableFileError) throw noPicture(error.message);
      if (!(error instanceof LateFileError)) throw error;
      throw new AppError("unavailable", "The server is too busy to make a small picture. Try again later.", {
        retryAfterMs: 5000,
        cause: error,
      });
    }
  }
}

function noPicture(message: string): AppError {
  return AppError.invalid([{ field: "reading.width", message }], "no_picture");
}
