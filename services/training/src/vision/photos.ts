import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { decodeImage, type Frame, inspectFile } from "@hourglass/analysis/training";

/** A photo of the list with its true contents; services/training/vision/PHOTOS.md explains the fields. */
export interface Photo {
  file: string;
  use: "tuning" | "held-out" | "judged";
  subject?: string[];
  faces?: number;
  logoFree?: boolean;
  print?: boolean;
  names?: string[];
  also?: string[];
  people?: number | string;
}

const LIST = new URL("../../vision/photos.json", import.meta.url);

/** A photo with what people do in it. */
export interface ActivityPhoto {
  file: string;
  use: "tuning" | "judged";
  /** What anybody would say that they do. */
  activities: string[];
  /** What else is true, or may be. */
  perhaps?: string[];
}

const ACTIVITY_LIST = new URL("../../vision/activity-photos.json", import.meta.url);

/** The photos for a use. Throws an error with instructions for collecting them if the folder lacks one. */
export const photosFor = (use: Photo["use"], folder: string): Photo[] => photosOf<Photo>(LIST, { use, folder });

/** Photos of people for a use. Throws like `photosFor`. */
export const activityPhotosFor = (use: ActivityPhoto["use"], folder: string): ActivityPhoto[] =>
  photosOf<ActivityPhoto>(ACTIVITY_LIST, { use, folder });

const photosOf = <P extends Photo | ActivityPhoto>(
  list: URL,
  { use, folder }: { use: P["use"]; folder: string },
): P[] => {
  const { photos } = JSON.parse(readFileSync(list, "utf8")) as { photos: P[] };
  const missing = photos.find(({ file }) => !existsSync(join(folder, file)));
  if (missing !== undefined) {
    throw new Error(
      `${folder} has no ${missing.file}: python3 services/training/vision/collect_photos.py --photos ${folder}`,
    );
  }
  return photos.filter((photo) => photo.use === use);
};

/** Fonts by Pango's names, and their files in the folder of photos. */
export const PRINT_FONTS: readonly { name: string; file: string }[] = [
  { name: "DejaVu Sans Bold", file: "DejaVuSans-Bold.ttf" },
  { name: "DejaVu Serif", file: "DejaVuSerif.ttf" },
  { name: "STIXGeneral", file: "STIXGeneral.ttf" },
  { name: "DejaVu Sans Mono Oblique", file: "DejaVuSansMono-Oblique.ttf" },
];

const LIMITS = { imagePixelsMax: 40_000_000, durationMsMax: 0 };

/** Decodes a photo like the service. */
export const frameOf = async (folder: string, { file }: Pick<Photo, "file">): Promise<Frame> => {
  const path = join(folder, file);
  return decodeImage(path, await inspectFile(path, LIMITS));
};
