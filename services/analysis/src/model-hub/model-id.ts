import path from "node:path";
import { ModelError } from "./model-error.js";

/** A model as named in the configuration. */
export interface ModelId {
  /** `owner/name`: its path on the hub, and its folder below the models' folder. */
  id: string;
  /** Branch, tag or commit; `main` by default. */
  revision: string;
  /** Whether the revision was specified. If not, any local revision is accepted. */
  pinned: boolean;
}

const PART = /^[A-Za-z0-9][\w.-]{0,95}$/;
const REVISION = /^[A-Za-z0-9][\w./-]{0,199}$/;

/** Parses `owner/name` or `owner/name@revision`. Throws ModelError. */
export function parseModelId(text: string): ModelId {
  const [id = "", revision, ...rest] = text.split("@");
  const parts = id.split("/");
  const named = parts.length === 2 && parts.every((part) => PART.test(part) && !part.includes(".."));
  const pinned = revision !== undefined;
  if (!named || rest.length > 0 || (pinned && (!REVISION.test(revision) || revision.includes("..")))) {
    throw new ModelError("refused", `"${text}" names no model: write owner/name or owner/name@revision.`);
  }
  return { id, revision: revision ?? "main", pinned };
}

/** Formats the id as in the configuration. */
export const spellModelId = ({ id, revision, pinned }: ModelId): string => (pinned ? `${id}@${revision}` : id);

/** Folder of a model's files. */
export const folderOfModel = (modelsDir: string, { id }: Pick<ModelId, "id">): string =>
  path.join(modelsDir, ...id.split("/"));
