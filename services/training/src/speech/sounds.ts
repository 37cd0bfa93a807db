import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Voices of espeak-ng that the sentences are distributed over. */
export const VOICES = ["en-us", "en-gb", "en-us+f3", "en-gb+m3"] as const;

/** Sounds without speech, as ffmpeg sources. */
export const SPEECHLESS: Readonly<Record<string, string>> = {
  silence: "anullsrc=r=44100",
  "white noise": "anoisesrc=a=0.3:c=white:s=1",
  "brown noise": "anoisesrc=a=0.5:c=brown:s=1",
  hum: "sine=f=120",
  melody: `aevalsrc='0.3*sin(2*PI*t*220*pow(2,mod(floor(t*4)*7,12)/12))*exp(-4*mod(t,0.25))+0.2*sin(2*PI*t*110)'`,
  "melody with drums": [
    "aevalsrc='0.2*sin(2*PI*t*330*pow(2,mod(floor(t*3)*5,12)/12))*exp(-3*mod(t,0.333))",
    "0.15*sin(2*PI*t*82.4*pow(2,mod(floor(t),4)*3/12))",
    "0.3*(random(0)-0.5)*exp(-30*mod(t,0.5))'",
  ].join("+"),
  siren: "aevalsrc='0.4*sin(2*PI*700*t+150*sin(2*PI*0.8*t))'",
};

/** Creates MP3 files with 64 kbit/s. */
export interface SoundMaker {
  /** Speaks a sentence; resolves to the file. */
  speak(name: string, text: string, voice: string): Promise<string>;
  /** Half a minute of a sound without speech. */
  play(name: string, source: string): Promise<string>;
  /** Concatenates the files without pauses. */
  join(name: string, files: readonly string[]): Promise<string>;
}

/** Creates files in `folder` with the given ffmpeg, and with espeak-ng from the PATH. */
export function createSoundMaker(folder: string, ffmpeg: string): SoundMaker {
  const encode = async (name: string, input: readonly string[]): Promise<string> => {
    const file = path.join(folder, `${name}.mp3`);
    await run(ffmpeg, ["-nostdin", "-v", "error", "-y", ...input, "-ac", "1", "-b:a", "64k", file]);
    return file;
  };
  return {
    async speak(name, text, voice) {
      const wave = path.join(folder, `${name}.wav`);
      await run("espeak-ng", ["-v", voice, "-s", "150", "-w", wave, text]);
      return await encode(name, ["-i", wave]);
    },
    play: (name, source) => encode(name, ["-f", "lavfi", "-t", "30", "-i", source]),
    join: (name, files) => {
      const inputs = files.flatMap((file) => ["-i", file]);
      return encode(name, [...inputs, "-filter_complex", `concat=n=${files.length}:v=0:a=1`]);
    },
  };
}
