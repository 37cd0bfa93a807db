import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { UPLOAD, User } from "../../rest/routes.js";
import { made } from "../../rest/sample-files.js";
import { startServer, type TestServer } from "../../support/server.js";
import { wordErrorRate } from "./word-error-rate.js";

/** The texts of the recordings, and the used length of each, in seconds. */
const READ_ALOUD = [
  {
    file: "two_cities.wav",
    seconds: 28.6,
    text:
      "It was the best of times, it was the worst of times, it was the age of wisdom, it was the age of foolishness, it was " +
      "the epoch of belief, it was the epoch of incredulity, it was the season of Light, it was the season of Darkness, it " +
      "was the spring of hope, it was the winter of despair, we had everything before us, we had nothing before us, we were " +
      "all going direct to Heaven, we were all going direct the other way",
  },
  {
    file: "beckett.wav",
    seconds: 10,
    text: "Ever tried. Ever failed. No matter. Try again. Fail again. Fail better.",
  },
];
/** Word error rate; typical of a small model with clear voices, with a margin for other builds of ffmpeg. */
const WORD_ERRORS_MAX = 0.12;
/** Sentences that people read aloud, in packages of Debian. */
const PROMPTS = [
  {
    language: "es",
    file: "es_MX_f_Allison/queue-periodic-announce.g722",
    text: "Todos nuestros representantes se encuentran ocupados. Por favor espere y pronto le atenderemos.",
  },
  { language: "fr", file: "fr_CA_f_June/confbridge-removed.g722", text: "Vous avez été retiré de cette conférence." },
];
/** One word in five: a sentence has few, and other builds of ffmpeg may cost one. */
const PROMPT_ERRORS_MAX = 0.2;
const SPEECH = { type: "file", analyses: ["sentiment-simple"] };

interface Content {
  analyses: { type: string; source: string; data: unknown; language?: string }[];
  transcript?: {
    text: string;
    language?: string;
    supported?: boolean;
    segments: { start: number; end: number; text: string }[];
  };
  error?: string;
}

describe("speech in files", () => {
  let server: TestServer;

  afterEach(() => server.close());

  /** Analyses recordings on a server with these settings. */
  async function hear(settings: Record<string, string>, recordings: readonly Buffer[]): Promise<Content[]> {
    server = await startServer({ OFFLINE: "true", ...settings });
    const user = await User.signIn(server);
    const contents = await Promise.all(recordings.map((recording) => upload(user, recording)));
    const operation = await user.analyze({ ...SPEECH, contents });
    expect(operation, JSON.stringify(operation)).toMatchObject({ status: "done" });
    return (operation["data"] as { contents: Content[] }).contents;
  }

  async function upload(user: User, bytes: Buffer): Promise<number> {
    const form = new FormData();
    form.set("file", new Blob([new Uint8Array(bytes)]), "recording.mp3");
    const headers = { authorization: user.authorization };
    const answer = await fetch(server.url + UPLOAD, { method: "POST", headers, body: form });
    expect(answer.status).toBe(201);
    return ((await answer.json()) as { id: number }).id;
  }

  it("is written down, with its times, and analyzed as any text", async () => {
    const recordings = await Promise.all(READ_ALOUD.map(({ file, seconds }) => recording(file, seconds)));
    const contents = await hear({ MODELS_DIR: variable("TEST_SPEECH_MODELS") }, recordings);
    const said = READ_ALOUD.map(({ text }) => text).join(" ");
    const heard = contents.map(({ transcript }) => transcript?.text ?? "").join(" ");
    process.stdout.write(`words heard wrongly: ${(100 * wordErrorRate(said, heard)).toFixed(1)} %\n`);
    expect(wordErrorRate(said, heard), heard).toBeLessThanOrEqual(WORD_ERRORS_MAX);
    for (const [index, { analyses, transcript }] of contents.entries()) {
      expect(analyses).toMatchObject([{ type: "sentiment-simple", source: "transcript" }]);
      const { seconds } = READ_ALOUD[index]!;
      const times = (transcript?.segments ?? []).flatMap(({ start, end }) => [start, end]);
      expect(times).toEqual(times.toSorted((one, other) => one - other));
      expect(times.at(-1)).toBeLessThanOrEqual(seconds);
    }
  });

  it("is written down in the language that is spoken, which the analyses then use", async () => {
    const recordings = await Promise.all(PROMPTS.map(({ file }) => prompt(file)));
    const contents = await hear({ MODELS_DIR: variable("TEST_SPEECH_MODELS") }, recordings);
    for (const [index, { analyses, transcript }] of contents.entries()) {
      const { language, text } = PROMPTS[index]!;
      expect(transcript).toMatchObject({ language, supported: true, segments: [{ language }] });
      expect(wordErrorRate(text, transcript?.text ?? ""), transcript?.text).toBeLessThanOrEqual(PROMPT_ERRORS_MAX);
      expect(analyses).toMatchObject([{ type: "sentiment-simple", source: "transcript", language }]);
    }
  });

  it("is said to need its model where there is none", async () => {
    const [content] = await hear({}, [await recording("beckett.wav", 3)]);
    expect(content).toMatchObject({ analyses: [] });
    expect(content?.error).toMatch(/npm run models -- pull/);
  });
});

/** The beginning of a recording, as MP3. */
function recording(file: string, seconds: number): Promise<Buffer> {
  return made("mp3", "-t", String(seconds), "-i", path.join(variable("TEST_SPEECH_RECORDINGS"), file), "-b:a", "96k");
}

/** A prompt, as MP3. */
function prompt(file: string): Promise<Buffer> {
  const place = path.join(variable("TEST_SPEECH_PROMPTS"), "usr/share/asterisk/sounds", file);
  return made("mp3", "-f", "g722", "-i", place, "-b:a", "64k");
}

function variable(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: run eval "$(bash .ci/speech)".`);
  return value;
}
