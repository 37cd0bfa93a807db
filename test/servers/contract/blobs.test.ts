import type { Blobs } from "@hourglass/runtime";
import { blobsContract, type BlobsWorld } from "../../contract/blobs-contract.js";
import { freshMongo } from "./mongo-world.js";

async function openBlobs(): Promise<BlobsWorld> {
  const { again: open, close } = await freshMongo();
  const again = async (): Promise<Blobs> => (await open()).blobs;
  return { blobs: await again(), again, close };
}

blobsContract("gridfs", openBlobs);
