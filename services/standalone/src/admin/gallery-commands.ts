import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import type { MediaFacts, MediaFormat } from "@hourglass/analysis/formats";
import { AppError } from "@hourglass/runtime";
import type { Administration, Command } from "./command.js";
import type { AdminConfig } from "./config.js";
import { escapeField } from "./output.js";

/** Workers reread the gallery of a company within this time. */
const GALLERY_SETTLE_MS = 10_000;
const LOGO_BYTES_MAX = 1_048_576;

const enrollFace: Command = {
  does:
    "Lets face-id name a person of a company: --file is a PNG or JPG that shows them alone. Needs FACE_RECOGNITION=true " +
    "and the person's consent. The picture is not kept, only 128 numbers that describe the face.",
  required: ["company", "name", "file"],
  optional: [],
  settleMs: GALLERY_SETTLE_MS,
  run: async (administration, { company = "", name = "", file = "" }) => {
    const { config, gallery, describeFace } = administration;
    if (!config.analysis.media.faceRecognition) throw recognitionOff();
    const picture = path.resolve(file);
    const facts = await factsOf(picture, config, ["png", "jpg"]);
    const companyId = await companyIdOf(administration, company);
    const descriptor = await describeFace(picture, facts);
    await (await gallery()).enrollFace({ companyId, name, descriptor });
    return [
      `Enrolled ${escapeField(name)}`,
      "Keep the person's consent on record. `face forget` withdraws the name from all analyses to come.",
    ];
  },
};

const listFaces: Command = {
  does: "One line per enrolled person of a company: name and number of pictures, separated by tabs.",
  required: ["company"],
  optional: [],
  settleMs: 0,
  run: async (administration, { company = "" }) => {
    const companyId = await companyIdOf(administration, company);
    const people = await (await administration.gallery()).listFaces(companyId);
    return people.map(({ name, pictures }) => `${escapeField(name)}\t${pictures}`);
  },
};

const forgetFace: Command = {
  does: "Removes everything that describes a person's face. Results that exist keep the name: delete their operations.",
  required: ["company", "name"],
  optional: [],
  settleMs: GALLERY_SETTLE_MS,
  run: async (administration, { company = "", name = "" }) => {
    const companyId = await companyIdOf(administration, company);
    const pictures = await (await administration.gallery()).forgetFace(companyId, name);
    return [`Forgot ${escapeField(name)}: ${pictures} ${pictures === 1 ? "picture" : "pictures"}`];
  },
};

const addLogo: Command = {
  does:
    "Lets logo-id find a mark of a company's own: --file is a PNG of the mark alone, best with a transparent background, " +
    "1 MiB at most. A name that is there already gets the new mark.",
  required: ["company", "name", "file"],
  optional: [],
  settleMs: GALLERY_SETTLE_MS,
  run: async (administration, { company = "", name = "", file = "" }) => {
    const picture = path.resolve(file);
    const { sizeBytes } = await factsOf(picture, administration.config, ["png"]);
    if (sizeBytes > LOGO_BYTES_MAX) {
      throw new AppError(
        "too-large",
        `The file ${picture} has ${sizeBytes} bytes. Give one of at most ${LOGO_BYTES_MAX}.`,
      );
    }
    const companyId = await companyIdOf(administration, company);
    await (await administration.gallery()).addMark({ companyId, name, png: await readFile(picture) });
    return [`Added ${escapeField(name)}`];
  },
};

const listLogos: Command = {
  does: "One line per logo that a company has added: its name.",
  required: ["company"],
  optional: [],
  settleMs: 0,
  run: async (administration, { company = "" }) => {
    const companyId = await companyIdOf(administration, company);
    return (await (await administration.gallery()).listMarks(companyId)).map(escapeField);
  },
};

const removeLogo: Command = {
  does: "Removes a logo that a company has added.",
  required: ["company", "name"],
  optional: [],
  settleMs: GALLERY_SETTLE_MS,
  run: async (administration, { company = "", name = "" }) => {
    const companyId = await companyIdOf(administration, company);
    await (await administration.gallery()).removeMark(companyId, name);
    return [`Removed ${escapeField(name)}`];
  },
};

/** Commands on the galleries of companies, by their two words. */
export const GALLERY_COMMANDS: Readonly<Record<string, Command>> = {
  "face enroll": enrollFace,
  "face list": listFaces,
  "face forget": forgetFace,
  "logo add": addLogo,
  "logo list": listLogos,
  "logo remove": removeLogo,
};

async function companyIdOf({ accounts }: Administration, wanted: string): Promise<number> {
  const { companies } = await (await accounts()).listCompanies({});
  const found = companies.find(({ name }) => name === wanted.normalize("NFC").trim());
  if (found !== undefined) return Number(found.id);
  throw new AppError(
    "not-found",
    `There is no company named "${escapeField(wanted)}". The command company list shows them all.`,
  );
}

/** Throws AppError if the file cannot be read or has none of these formats. */
async function factsOf(file: string, { media }: AdminConfig, formats: readonly MediaFormat[]): Promise<MediaFacts> {
  const { inspectFile, UnacceptableFileError } = await import("@hourglass/analysis/formats");
  try {
    if (!(await stat(file)).isFile())
      throw new AppError("invalid", `The path ${file} is not a file. Give the path of one.`);
    return await inspectFile(file, { ...media.limits, formats });
  } catch (error) {
    if (error instanceof AppError) throw error;
    if (error instanceof UnacceptableFileError)
      throw new AppError("invalid", `The file ${file} cannot be used. ${error.message}`);
    throw new AppError("not-found", `The file ${file} cannot be read. Check its path and its permissions.`, {
      cause: error,
    });
  }
}

function recognitionOff(): AppError {
  const message =
    "Face recognition is off. Set FACE_RECOGNITION=true for this command and for the servers, and only with the consent " +
    "of everybody you enroll: what describes a face is personal data that the law protects.";
  return new AppError("forbidden", message);
}
