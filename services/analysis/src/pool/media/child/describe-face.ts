import type { MediaFacts } from "../../../formats/media-facts.js";
import { decodeImage } from "../../../decode/image/decode-image.js";
import { detectFaces } from "../../../vision/faces/index.js";
import { UnreadableFileError } from "../../../decode/file-errors.js";

/**
 * The 128-number descriptor of the one face in a picture. Throws UnreadableFileError if there is none or more than one.
 */
export const describeFace = async (file: string, facts: MediaFacts): Promise<number[]> => {
  const faces = await detectFaces(await decodeImage(file, facts));
  const [face] = faces;
  if (face === undefined)
    throw new UnreadableFileError("No face was found in the picture. Take one that shows it from the front.");
  if (faces.length > 1)
    throw new UnreadableFileError(`The picture shows ${faces.length} faces. Take one with that person alone.`);
  return [...(await face.descriptor())];
};
