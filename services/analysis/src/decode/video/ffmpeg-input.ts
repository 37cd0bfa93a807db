import type { MediaFacts } from "../../formats/media-facts.js";

/** One demuxer per kind of file, so that a disguised playlist or script is never opened as such. */
const DEMUXERS = { mp4: "mov,mp4,m4a,3gp,3g2,mj2", mp3: "mp3" } as const;

/**
 * Decoders for the codecs that cameras, phones, recorders and editors put into MP4 and MP3; all others are disabled for
 * untrusted files.
 */
const DECODERS = [
  ...["h264", "hevc", "mpeg4", "mpeg2video", "mpeg1video", "h263", "mjpeg", "prores", "png"],
  ...["vp8", "vp9", "libvpx", "libvpx-vp9", "av1", "libdav1d", "libaom-av1", "libgav1"],
  ...["aac", "aac_latm", "mp3", "mp3float", "mp2", "mp2float", "mp1", "mp1float", "ac3", "eac3", "alac", "flac"],
  ...["opus", "libopus", "vorbis", "amrnb", "amrwb", "libopencore_amrnb", "libopencore_amrwb"],
  ...["pcm_s16le", "pcm_s16be", "pcm_s24le", "pcm_s24be", "pcm_f32le", "pcm_f32be", "pcm_mulaw", "pcm_alaw", "pcm_u8"],
];

/** Per frame: 40 megapixels, and the padding that codecs add to fill blocks. */
const PIXELS_MAX = 44_000_000;
const THREADS = 2;
const STREAMS_MAX = 64;

/**
 * Arguments that open an untrusted file only in the format of its parsed headers, and nothing else from disk or
 * network.
 */
export function inputArguments(file: string, { format }: Pick<MediaFacts, "format">): string[] {
  if (format !== "mp4" && format !== "mp3") throw new TypeError(`ffmpeg is not given files of the format ${format}`);
  return [
    ...["-protocol_whitelist", "file,pipe", "-format_whitelist", DEMUXERS[format], "-f", format],
    ...["-codec_whitelist", DECODERS.join(","), "-max_pixels", String(PIXELS_MAX), "-max_streams", String(STREAMS_MAX)],
    ...["-threads", String(THREADS), "-i", `file:${file}`],
  ];
}

/** The codecs of the tracks, as reported by ffmpeg. */
export interface Codecs {
  hear: (line: string) => void;
  /** For example `h264`; undefined if there is no such track or its codec is unknown. */
  name(track: "Video" | "Audio"): string | undefined;
  /** Whether ffmpeg reported that no decoder exists or is enabled. */
  unknown(): boolean;
}

/** Collects tracks and codecs from the log lines of a run. */
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

/** ` (flac)`; empty if the codec is unknown. */
export const inBrackets = (codec: string | undefined): string => (codec === undefined ? "" : ` (${codec})`);
