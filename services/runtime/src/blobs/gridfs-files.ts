import { Binary, type Collection, type Db, type Document as BsonDocument } from "mongodb";
import type { MongoDatabase } from "../store/mongo/mongo-database.js";
import { storeUnavailable } from "../store/store.js";

/** GridFS's own default. */
const CHUNK_BYTES = 255 * 1024;
/** Chunks written or read with one command. */
const CHUNKS_AT_ONCE = 4;

/** A part of a file, in GridFS format. */
interface Chunk {
  _id: string;
  files_id: string;
  n: number;
  data: Binary;
}

/** A file, in GridFS format; written last and never changed. */
interface FileDocument {
  _id: string;
  length: number;
  chunkSize: number;
  uploadDate: Date;
  filename: string;
}

/**
 * Files in GridFS layout (bucket `blobs`), readable by GridFS tools. The driver's own bucket class is not used: its
 * streams have no time limit, and a reader that pauses for ten minutes loses its cursor.
 */
export class GridFsFiles {
  readonly #database: MongoDatabase;
  #indexed: Promise<void> | undefined;

  constructor(database: MongoDatabase) {
    this.#database = database;
  }

  /** Writes a file and returns its size; awaits `onProgress` after each megabyte. Stream failures pass through. */
  async write(
    file: { id: string; name: string },
    bytes: AsyncIterable<Uint8Array>,
    onProgress: () => Promise<void>,
  ): Promise<number> {
    await this.#ensureIndex();
    let size = 0;
    let count = 0;
    for await (const block of inBlocks(bytes, CHUNK_BYTES * CHUNKS_AT_ONCE)) {
      const chunks = toChunks(file.id, count, block);
      await this.#database.run((db) => chunksOf(db).insertMany(chunks));
      count += chunks.length;
      size += block.length;
      await onProgress();
    }
    const document = {
      _id: file.id,
      length: size,
      chunkSize: CHUNK_BYTES,
      uploadDate: new Date(),
      filename: file.name,
    };
    await this.#database.run((db) => filesOf(db).insertOne(document));
    return size;
  }

  /** Streams the bytes from `start` to `end` (exclusive), both within the file. */
  async *read(id: string, start: number, end: number): AsyncGenerator<Uint8Array> {
    for (let position = start; position < end;) {
      const first = Math.floor(position / CHUNK_BYTES);
      const where = { files_id: id, n: { $gte: first, $lt: first + CHUNKS_AT_ONCE } };
      const chunks = await this.#database.run((db) => chunksOf(db).find(where).sort({ n: 1 }).toArray());
      for (const [index, { n, data }] of chunks.entries()) {
        if (n !== first + index || position >= end) break;
        const from = position - n * CHUNK_BYTES;
        const part = data.buffer.subarray(from, Math.min(data.length(), end - n * CHUNK_BYTES));
        position += part.length;
        yield part;
      }
      if (chunks[0]?.n !== first) throw storeUnavailable(new Error(`Chunk ${first} of the file ${id} is not there.`));
    }
  }

  /** Deletes a complete or partial file. */
  async remove(id: string): Promise<void> {
    await this.#database.run((db) => filesOf(db).deleteOne({ _id: id }));
    await this.#database.run((db) => chunksOf(db).deleteMany({ files_id: id }));
  }

  #ensureIndex(): Promise<void> {
    this.#indexed ??= this.#createIndex().catch((error: unknown) => {
      this.#indexed = undefined;
      throw error;
    });
    return this.#indexed;
  }

  async #createIndex(): Promise<void> {
    await this.#database.run((db) => chunksOf(db).createIndex({ files_id: 1, n: 1 }, { unique: true }, {}));
  }
}

function toChunks(fileId: string, first: number, block: Uint8Array): Chunk[] {
  return Array.from({ length: Math.ceil(block.length / CHUNK_BYTES) }, (_, index) => {
    const n = first + index;
    const data = new Binary(block.subarray(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES));
    return { _id: `${fileId}/${n}`, files_id: fileId, n, data };
  });
}

/** The same bytes in blocks of equal size; the last one may be shorter. */
async function* inBlocks(bytes: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array> {
  let block = Buffer.allocUnsafe(size);
  let filled = 0;
  for await (const part of bytes) {
    for (let taken = 0; taken < part.length;) {
      const piece = part.subarray(taken, taken + size - filled);
      block.set(piece, filled);
      filled += piece.length;
      taken += piece.length;
      if (filled < size) continue;
      yield block;
      block = Buffer.allocUnsafe(size);
      filled = 0;
    }
  }
  if (filled > 0) yield block.subarray(0, filled);
}

function filesOf(db: Db): Collection<FileDocument> {
  return db.collection<FileDocument>("blobs.files");
}

function chunksOf(db: Db): Collection<Chunk & BsonDocument> {
  return db.collection<Chunk & BsonDocument>("blobs.chunks");
}
