import { getOption, type DescMessage } from "@bufbuild/protobuf";
import { blob_folder as blobFolder } from "@hourglass/proto/options/v1/storage";

/**
 * The key under which the bytes of a message of the contract are stored; its proto file names the folder. Throws for a
 * message that has none.
 */
export function contractBlobKey(message: DescMessage, id: number): string {
  const folder = getOption(message, blobFolder);
  if (folder === "") throw new TypeError(`${message.typeName} names no blob_folder`);
  return `${folder}/${id}`;
}
