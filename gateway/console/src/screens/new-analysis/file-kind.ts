/** What the first bytes of a file tell: a kind that is taken, another one that is known, or nothing. */
export type FileKind = "png" | "jpg" | "mp3" | "mp4" | "unknown" | { readonly other: string };

/** As many bytes from the start of a file as are looked at. The size of a JPG may stand behind its small picture. */
export const LOOKED_AT_BYTES = 262_144;

/** The kinds that are not taken, by how they begin; `at`: from which byte on. */
const OTHERS: readonly { readonly name: string; readonly start: string; readonly at?: number }[] = [
  { name: "GIF", start: "GIF8" },
  { name: "PDF", start: "%PDF" },
  { name: "WebP", start: "WEBP", at: 8 },
  { name: "WAV", start: "WAVE", at: 8 },
  { name: "AVI", start: "AVI ", at: 8 },
  { name: "HEIC", start: "ftyphei", at: 4 },
  { name: "HEIC", start: "ftypmif1", at: 4 },
  { name: "AVIF", start: "ftypavi", at: 4 },
  { name: "WebM or MKV", start: "\u001aE\u00df\u00a3" },
  { name: "Ogg", start: "OggS" },
  { name: "FLAC", start: "fLaC" },
  { name: "BMP", start: "BM" },
  { name: "TIFF", start: "II*\u0000" },
  { name: "TIFF", start: "MM\u0000*" },
  { name: "ZIP or Office", start: "PK\u0003\u0004" },
  { name: "SVG or XML", start: "<?xml" },
  { name: "SVG", start: "<svg" },
];
const WAVE_WITH_MP3 = 0x55;

/** What a file is, by its first bytes. */
export function kindOf(bytes: Uint8Array): FileKind {
  if (startsWith(bytes, "\u0089PNG\r\n\u001a\n")) return "png";
  if (startsWith(bytes, "\u00ff\u00d8\u00ff")) return "jpg";
  if (startsWith(bytes, "ID3")) return "mp3";
  const other = OTHERS.find(({ start, at = 0 }) => startsWith(bytes, start, at));
  if (other?.name === "WAV" && bytes[20] === WAVE_WITH_MP3) return "mp3";
  if (other !== undefined) return { other: other.name };
  if (startsWith(bytes, "ftyp", 4)) return "mp4";
  return bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe6) === 0xe2 ? "mp3" : "unknown";
}

function startsWith(bytes: Uint8Array, start: string, at = 0): boolean {
  return [...start].every((character, index) => bytes[at + index] === character.charCodeAt(0));
}

export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** The size of a PNG or JPG, if its first bytes tell it. */
export function pictureSize(bytes: Uint8Array, kind: FileKind): PictureSize | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (kind === "png") return bytes.length < 24 ? undefined : { width: view.getUint32(16), height: view.getUint32(20) };
  return kind === "jpg" ? jpgSize(view) : undefined;
}

/** Marks of segments that tell the size of a JPG: C0 to CF, but for C4, C8 and CC, which are tables and the like. */
function tellsSize(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

function jpgSize(view: DataView): PictureSize | undefined {
  for (let at = 2; at + 9 <= view.byteLength;) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) {
      at++;
      continue;
    }
    if (tellsSize(marker)) return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    at += 2 + view.getUint16(at + 2);
  }
  return undefined;
}
