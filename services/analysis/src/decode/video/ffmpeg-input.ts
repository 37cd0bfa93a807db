import type { MediaFacts } from "../../formats/media-facts.js";

/** Demuxers, one per kind of file: a playlist or a script in disguise is never opened as what it is. */
const DEMUXERS = { mp4: "mov,mp4,m4a,3gp,3g2,mj2", mp3: "mp3" } as const;

/** Decoders of what cameras, phones, recorders and editors put into MP4 and MP3; the many others stay shut to strangers. */
const DECODERS = [
  ...["h264", "hevc", "mpeg4", "mpeg2video", "mpeg1video", "h263", "mjpeg", "prores", "png"],
  ...["vp8", "vp9", "libvpx", "libvpx-vp9", "av1", "libdav1d", "libaom-av1", "libgav1"],
  ...["aac", "aac_latm", "mp3", "mp3float", "mp2", "mp2float", "mp1", "mp1float", "ac3", "eac3", "alac", "flac"],
  ...["opus", "libopus", "vorbis", "amrnb", "amrwb", "libopencore_amrnb", "libopencore_amrwb"],
  ...["pcm_s16le", "pcm_s16be", "pcm_s24le", "pcm_s24be", "pcm_f32le", "pcm_f32be", "pcm_mulaw", "pcm_alaw", "pcm_u8"],
];

/** Of one frame: 40 megapixels and what codecs add to fill blocks. */
const PIXELS_MAX = 44_000_000;
const THREADS = 2;
const STREAMS_MAX = 64;

/** Arguments that open a file of a stranger: as what its headers were parsed as, and nothing else from disk or network. */
export function inputArguments(file: string, { format }: Pick<MediaFacts, "format">): string[] {
  if (format !== "mp4" && format !== "mp3") throw new TypeError(`ffmpeg is not given files of the format ${format}`);
  return [
    ...["-protocol_whitelist", "file,pipe", "-format_whitelist", DEMUXERS[format], "-f", format],
    ...["-codec_whitelist", DECODERS.join(","), "-max_pixels", String(PIXELS_MAX), "-max_streams", String(STREAMS_MAX)],
    ...["-threads", String(THREADS), "-i", `file:${file}`],
  ];
}

/** What a track is encoded with, by what ffmpeg says of it. */
export interface Codecs {
  hear: (line: string) => void;
  /** Such as `h264`; undefined when there is no such track or nobody knows it. */
  name(track: "Video" | "Audio"): string | undefined;
  /** Whether ffmpeg said that it has no decoder, or none it may use. */
  unknown(): boolean;
}

/** Listens for tracks and codecs in the lines of a run. */
export function listenForCodecs(): Codecs {
  const names = new Map<string, string>();
  let unknown = false;
  return {
    hear(line) {
      const track = /^\s*Stream #0:\d+.*?: (Video|Audio): ([\w-]+)(?:.*?\((\w{4}) \/ 0x)?/.exec(line);
      const [, kind = "", codec = "", tag] = track ?? [];
      if (track !== null && !names.has(kind)) names.set(kind, codec === "none" ? (tag ?? "unknown") : codec);
      if (/not on whitelist|Decoder .*not found|Unknown decoder|Unsupported codec|no decoder/i.test(line))
        unknown = true;
    },
    name: (track) => names.get(track),
    unknown: () => unknown,
  };
}

/** ` (flac)`; nothing when nobody knows. */
export const inBrackets = (codec: string | undefined): string => (codec === undefined ? "" : ` (${codec})`);
