import type { GdeltStream } from "../file/gdelt-stream.js";
import { readGdeltTime } from "../file/gdelt-time.js";

/** A file of GKG as a list of GDELT names it. */
export interface ListedFile {
  /** Time up to which it has articles, in milliseconds since the epoch. */
  readonly at: number;
  /** In bytes, packed. */
  readonly size: number;
  /** Hexadecimal, lower case. */
  readonly md5: string;
  /** Its name in GDELT's folder: where the list says that it is, is not used. */
  readonly name: string;
}

const LINE = /^(\d{1,12}) ([0-9a-f]{32}) \S*\/((\d{14})(\.translation)?\.gkg\.csv\.zip)$/i;

/** The names of GDELT's lists. */
export const LISTS: Readonly<Record<GdeltStream, { readonly newest: string; readonly all: string }>> = {
  english: { newest: "lastupdate.txt", all: "masterfilelist.txt" },
  translated: { newest: "lastupdate-translation.txt", all: "masterfilelist-translation.txt" },
};

/**
 * The files of GKG in a list, which has a line `size md5 url` for each file; other lines, such as the first one of a part
 * that begins within a line, are left out.
 */
export function readFileList(text: string, stream: GdeltStream): ListedFile[] {
  return text.split("\n").flatMap((line) => {
    const [, size = "", md5 = "", name = "", digits = "", translation] = LINE.exec(line.trim()) ?? [];
    const at = readGdeltTime(digits);
    const isWanted = (translation !== undefined) === (stream === "translated");
    return at === undefined || !isWanted ? [] : [{ at, size: Number(size), md5: md5.toLowerCase(), name }];
  });
}
