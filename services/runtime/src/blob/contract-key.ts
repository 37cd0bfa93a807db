import { getOption, type DescMessage } from "@bufbuild/protobuf";
import { blob_folder as blobFolder } from "@hourglass/proto/options/v1/storage";

/**
 * The blob key for the bytes of a message of the contract; the folder is declared in its proto file. Throws for a
 * message without a folder.
 */
export function contractBlobKey(message: DescMessage, id: number): string {
  return `${blobFolderOf(message)}/${id}`;
}

/** The folder that the contract declares for the bytes of a message. Throws for a message without one. */
export function blobFolderOf(message: DescMessage): string {
  const folder = getOption(message, blobFolder);
  if (folder === "") throw new TypeError(`${message.typeName} names no blob_folder`);
  return folder;
}
