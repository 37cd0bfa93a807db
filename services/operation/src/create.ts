import { createHash } from "node:crypto";
import {
  AppError,
  type Author,
  failpoint,
  type Created,
  type Jobs,
  LoopPace,
  idempotencyOf,
  madeBefore,
  madeNow,
  winnerOf,
} from "@hourglass/runtime";
import type { CreationAttempts } from "./attempts.js";
import type { MediaCalls } from "./media.js";
import { previewOf } from "./list.js";
import { type CheckedOperation, type NewOperation, toChecked } from "./request.js";
import {
  type CleanupNote,
  contentPartId,
  type ContentValue,
  CREATE_TIME_MAX_MS,
  type KeyUse,
  newOperation,
  type OperationRecord,
  type OperationRepository,
  withOptions,
} from "./store.js";

/** An operation within these limits is one document. They are low because lists read whole documents. */
const INLINE_CONTENTS_MAX = 20;
const INLINE_CHARACTERS_MAX = 4096;
/** Explained results take about this many times the space of others. */
const EXPLAINED_SIZE = 4;
/**
 * Limits of a part, which is also the unit of progress and of what the successor of a crashed worker need not repeat.
 */
const PART_CONTENTS_MAX = 100;
const PART_CHARACTERS_MAX = 128 * 1024;

/** Files per part: few, since each may take minutes and its results much space. */
const PART_FILES_MAX = 4;

/** Parts of one write: some hundred kilobytes, which take some milliseconds. */
const PARTS_PER_WRITE = 3;

export interface CreateDeps {
  repository: OperationRepository;
  jobs: Jobs<OperationRecord>;
  /** Creations that claim files. */
  attempts: CreationAttempts;
  now: () => number;
}

/** The calling company and access to its files. */
export interface Caller {
  companyId: number;
  requestId: string;
  author: Author;
  files: MediaCalls;
}

interface Creation {
  checked: CheckedOperation;
  layout: Layout;
  key: KeyUse | undefined;
  caller: Caller;
}

/** Accepts operations. */
export class OperationCreation {
  constructor(private readonly deps: CreateDeps) {}

  /**
   * Accepts an operation that has passed the rules on requests: once the id is returned, the operation is stored and will
   * be carried out. A rejected request stores nothing.
   */
  async create(request: NewOperation, caller: Caller): Promise<Created> {
    const { repository, jobs, now } = this.deps;
    const checked = toChecked(request);
    const key = await keyUseOf(request, { checked, companyId: caller.companyId, usedAt: now() });
    const earlier = key && (await repository.findByKey(key));
    if (earlier !== undefined) return madeBefore(earlier);
    await jobs.admit(caller.companyId);
    const creation = { checked, layout: layOut(checked), key, caller };
    if (checked.kind === "file-id") return this.storeWithFiles(creation);
    try {
      return madeNow(
        await (creation.layout.inline === null ? this.storeWithParts(creation) : this.storeInOne(creation)),
      );
    } catch (error) {
      return madeBefore(await winnerOf(error, key && (() => repository.findByKey(key))));
    }
  }

  /** Takes the id and stores the record by one commit. */
  private async storeInOne(creation: Creation): Promise<number> {
    return this.deps.jobs.insertNext(await this.draft(creation));
  }

  /**
   * Stores a cleanup note, then the parts, and the record last: its insert accepts the operation. The note lets the
   * sweeper find what a crash before that leaves behind.
   */
  private async storeWithParts(creation: Creation): Promise<number> {
    const { operations, contentParts, cleanupNotes } = this.deps.repository.collections;
    const record = await this.draftWithId(creation);
    const { id } = record;
    try {
      await cleanupNotes.put(noteOfCreation(record));
      await this.insertParts(record, creation.layout.parts);
      await this.insertRecord(record);
    } catch (error) {
      // The insert may have happened although its response was lost; the operation then keeps its parts.
      const stored = await operations.get(id).catch(() => record);
      if (stored === undefined) {
        const removeParts = async () => {
          await contentParts.delete({ operationId: id });
          await cleanupNotes.delete({ id });
        };
        await removeParts().catch(() => undefined); // the sweeper finds the note
      }
      throw error;
    }
    // If this fails, the sweeper finds the note.
    await cleanupNotes.delete({ id }).catch(() => undefined);
    return id;
  }

  private storeWithFiles(creation: Creation): Promise<Created> {
    const { checked, layout, key, caller } = creation;
    return this.deps.attempts.create({
      key,
      files: caller.files,
      fileIds: checked.contents.map(Number),
      draft: () => this.draftWithId(creation),
      storeParts: (record) => this.insertParts(record, layout.parts),
      insert: (record) => this.insertRecord(record),
    });
  }

  private async draftWithId(creation: Creation): Promise<OperationRecord> {
    const [id, record] = await Promise.all([this.deps.jobs.nextId(), this.draft(creation)]);
    return { id, ...record };
  }

  /** The record of the operation except its id. Stores nothing. */
  private async draft({ checked, layout, key, caller }: Creation): Promise<Omit<OperationRecord, "id">> {
    const { kind, analyses, groups, contents, name, metadata } = checked;
    const place = { contents: layout.inline, partCount: layout.parts.length };
    const { companyId, requestId, author } = caller;
    const idempotency = key && { idempotency: key.idempotency, requestHash: key.requestHash };
    const job = this.deps.jobs.draft({ companyId, idempotency, requestId });
    return newOperation(job, {
      kind,
      analyses: withOptions(analyses, checked),
      groups,
      contentsCount: contents.length,
      ...place,
      createdBy: author,
      ...(name === "" ? {} : { name }),
      ...(metadata.length === 0 ? {} : { metadata: [...metadata] }),
      ...(layout.inline === null ? { preview: previewOf(contents[0]) } : {}),
    });
  }

  /** Parts are inserted in small batches: the embedded store writes each in one task of the event loop. */
  private async insertParts(record: OperationRecord, parts: readonly ContentValue[][]): Promise<void> {
    const { contentParts } = this.deps.repository.collections;
    const operationId = record.id;
    const documents = parts.map((contents, part) => ({ id: contentPartId(operationId, part), operationId, contents }));
    for (let from = 0; from < documents.length; from += PARTS_PER_WRITE) {
      await contentParts.insertMany(documents.slice(from, from + PARTS_PER_WRITE));
    }
    failpoint("operation.after_chunks");
  }

  /** The sweeper removes parts without a record after a while; a record inserted later would have no parts. */
  private async insertRecord(record: OperationRecord): Promise<void> {
    if (this.deps.now() - record.createdAt >= CREATE_TIME_MAX_MS / 2)
      throw new AppError("unavailable", "Storing the operation took too long. Try again later.");
    await this.deps.jobs.insert(record);
  }
}

/** A note for an operation whose parts are stored before its record. */
export function noteOfCreation({ id, companyId, createdAt }: OperationRecord): CleanupNote {
  return { id, companyId, dueAt: createdAt + CREATE_TIME_MAX_MS, idempotency: null, requestHash: null, createdAt };
}

/** Undefined for a request without a key. */
async function keyUseOf(
  { idempotencyKey }: NewOperation,
  { checked, companyId, usedAt }: { checked: CheckedOperation; companyId: number; usedAt: number },
): Promise<KeyUse | undefined> {
  const idempotency = idempotencyOf(companyId, idempotencyKey);
  return idempotency === undefined ? undefined : { idempotency, requestHash: await hashOf(checked), usedAt };
}

/**
 * Equal requests have equal hashes in every release: fields that an older release does not know are omitted unless they
 * are used. The hash is fed piece by piece, with pauses for the event loop, since a request may be 20 MiB; lengths separate the pieces.
 */
async function hashOf(checked: CheckedOperation): Promise<string> {
  const { kind, analyses, groups, contents, explain, offsets, name, metadata } = checked;
  const options = [
    ...(explain ? [{ explain }] : []),
    ...(offsets === "utf16" ? [{ offsets }] : []),
    ...(name === "" ? [] : [{ name }]),
    ...(metadata.length === 0 ? [] : [{ metadata }]),
  ];
  const head = [kind, analyses, groups, contents.length, ...options];
  const hash = createHash("sha256").update(JSON.stringify(head));
  const pace = new LoopPace();
  for (const content of contents) {
    await pace.step();
    const text = String(content);
    hash.update(`${text.length}:`).update(text);
  }
  return hash.digest("base64url");
}

/** Layout of the contents: in the record, or in parts. */
interface Layout {
  inline: ContentValue[] | null;
  parts: ContentValue[][];
}

/**
 * Determines the layout of the contents. Order is kept; a part holds at least one content. Files are never in the
 * record.
 */
function layOut({ kind, contents, explain }: CheckedOperation): Layout {
  if (kind !== "text") return { inline: null, parts: cut(contents, PART_FILES_MAX) };
  const size = explain ? EXPLAINED_SIZE : 1;
  const characters = contents.reduce<number>((sum, content) => sum + lengthOf(content), 0);
  const small = contents.length * size <= INLINE_CONTENTS_MAX && characters * size <= INLINE_CHARACTERS_MAX;
  return small ? { inline: [...contents], parts: [] } : { inline: null, parts: cut(contents, PART_CONTENTS_MAX) };
}

function cut(contents: readonly ContentValue[], contentsMax: number): ContentValue[][] {
  const parts: ContentValue[][] = [];
  let part: ContentValue[] = [];
  let characters = 0;
  for (const content of contents) {
    const length = lengthOf(content);
    const full = part.length >= contentsMax || characters + length > PART_CHARACTERS_MAX;
    if (part.length > 0 && full) {
      parts.push(part);
      part = [];
      characters = 0;
    }
    part.push(content);
    characters += length;
  }
  if (part.length > 0) parts.push(part);
  return parts;
}

/** In UTF-16 code units, which is precise enough for a bound. */
function lengthOf(content: ContentValue): number {
  return typeof content === "string" ? content.length : 8;
}
