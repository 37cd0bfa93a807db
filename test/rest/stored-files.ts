import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { type Db, GridFSBucket, MongoClient } from "mongodb";
import type { TestServer } from "../support/server.js";

/** Number of stored files, and of incoming ones. */
export interface FileCount {
  kept: number;
  incoming: number;
}

/** The bytes of uploaded files in the storage of a server, as an operator sees them. */
export interface StoredFiles {
  count(): Promise<FileCount>;
  read(fileId: number): Promise<Buffer>;
  close(): Promise<void>;
}

/** The file storage of the server under test: in MongoDB, or in the data folder. */
export function storedFilesOf({ dataDir, storage: { MONGODB_URL } }: TestServer): StoredFiles {
  return MONGODB_URL === undefined ? new InFolder(path.join(dataDir, "files")) : new InMongo(MONGODB_URL);
}

class InFolder implements StoredFiles {
  constructor(private readonly folder: string) {}

  async count(): Promise<FileCount> {
    const kept = await readdir(path.join(this.folder, "blobs/files")).catch(() => []); // created with the first file
    return { kept: kept.length, incoming: (await readdir(path.join(this.folder, "incoming"))).length };
  }

  read(fileId: number): Promise<Buffer> {
    return readFile(path.join(this.folder, `blobs/files/${fileId}.blob`));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

class InMongo implements StoredFiles {
  private readonly client: MongoClient;
  private readonly database: Db;

  constructor(url: string) {
    this.client = new MongoClient(url);
    this.database = this.client.db();
  }

  /** Files in the bucket are either kept by a key, or deleted and removed within an hour; all others are incoming. */
  async count(): Promise<FileCount> {
    const keys = await this.database.collection("blobs.keys").distinct("file");
    const deleted = await this.database.collection("blobs.leftovers").distinct("_id", { state: "replaced" });
    const files = await this.database.collection("blobs.chunks").distinct("files_id");
    const known = new Set<unknown>([...keys, ...deleted]);
    return { kept: keys.length, incoming: files.filter((file) => !known.has(file)).length };
  }

  async read(fileId: number): Promise<Buffer> {
    const bucket = new GridFSBucket(this.database, { bucketName: "blobs" });
    const parts: Buffer[] = [];
    for await (const part of bucket.openDownloadStreamByName(`files/${fileId}`)) parts.push(part as Buffer);
    return Buffer.concat(parts);
  }

  close(): Promise<void> {
    return this.client.close();
  }
}
