import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import type { MediaFacts, MediaFormat } from "@hourglass/analysis/formats";
import { openGallery as openGalleryOn, type GalleryAdministration } from "@hourglass/media";
import { AppError, openStorage } from "@hourglass/runtime";
import { foldName } from "@hourglass/runtime/text";
import type { AdminConfig } from "../config.js";
import type { Administration, Opening, OptionValues } from "./administration.js";
import { escapeField, type Row } from "./output.js";

const LOGO_BYTES_MAX = 1_048_576;

/** Opens the faces and logos that companies have added. */
export async function openGallery({ config, log, lifecycle }: Opening): Promise<GalleryAdministration> {
  return openGalleryOn(await openStorage({ config, log, lifecycle, parts: ["store", "blobs"] }));
}

export async function enrollFace(
  administration: Administration,
  { company = "", name = "", file = "" }: OptionValues,
): Promise<string[]> {
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
}

function recognitionOff(): AppError {
  const message =
    "Face recognition is off. Set FACE_RECOGNITION=true for this command and for the servers, and only with the consent " +
    "of everybody you enroll: what describes a face is personal data that the law protects.";
  return new AppError("forbidden", message);
}

export async function listFaces(administration: Administration, { company = "" }: OptionValues): Promise<Row[]> {
  const companyId = await companyIdOf(administration, company);
  const people = await (await administration.gallery()).listFaces(companyId);
  return people.map(({ name, pictures }): Row => [
    ["name", name],
    ["pictures", pictures],
  ]);
}

export async function forgetFace(
  administration: Administration,
  { company = "", name = "" }: OptionValues,
): Promise<string[]> {
  const companyId = await companyIdOf(administration, company);
  const pictures = await (await administration.gallery()).forgetFace(companyId, name);
  return [`Forgot ${escapeField(name)}: ${pictures} ${pictures === 1 ? "picture" : "pictures"}`];
}

export async function addLogo(
  administration: Administration,
  { company = "", name = "", file = "" }: OptionValues,
): Promise<string[]> {
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
}

export async function listLogos(administration: Administration, { company = "" }: OptionValues): Promise<Row[]> {
  const companyId = await companyIdOf(administration, company);
  return (await (await administration.gallery()).listMarks(companyId)).map((name): Row => [["name", name]]);
}

export async function removeLogo(
  administration: Administration,
  { company = "", name = "" }: OptionValues,
): Promise<string[]> {
  const companyId = await companyIdOf(administration, company);
  await (await administration.gallery()).removeMark(companyId, name);
  return [`Removed ${escapeField(name)}`];
}

async function companyIdOf({ accounts }: Administration, wanted: string): Promise<number> {
  const { companies } = await (await accounts()).listCompanies({});
  const found = companies.find(({ name }) => foldName(name) === foldName(wanted));
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
