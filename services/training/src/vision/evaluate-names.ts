import { captionIngredients, createObjectId, type Frame, sentenceOf } from "@hourglass/analysis/training";
import { type Evaluation, say, shareMetric } from "../report.js";
import { frameOf, type Photo, photosFor } from "./photos.js";

/** A photo on which nothing was tuned, with all that may be said of it. */
type Judged = Photo & Required<Pick<Photo, "names" | "also" | "people">>;

const judgedIn = (folder: string): Judged[] =>
  photosFor("judged", folder).map((photo) => {
    const { names, also, people } = photo;
    if (names === undefined || also === undefined || people === undefined) {
      throw new Error(`photos.json does not say what ${photo.file} shows`);
    }
    return { ...photo, names, also, people };
  });

/** How often object-id names the subject of a photo, and how often what it names is there. */
export const evaluateObjectNames = async (folder: string): Promise<Evaluation> => {
  const photos = judgedIn(folder);
  const analyzer = await createObjectId();
  const [all, named, silent] = [
    { right: 0, found: 0 },
    { right: 0, photos: 0 },
    { right: 0, photos: 0 },
  ];
  for (const photo of photos) {
    const found = await analyzer.look(await frameOf(folder, photo), NO_GALLERY);
    const values = found.map(({ value }) => value);
    const wrong = found.filter(({ value }) => !isThere(value, photo));
    all.right += values.length - wrong.length;
    all.found += values.length;
    if (photo.names.length > 0) {
      named.photos++;
      if (values.some((value) => photo.names.includes(value))) named.right++;
      else say(`  ${photo.file}: ${values.join(", ") || "nothing"} instead of ${photo.names[0]!}`);
    } else {
      silent.photos++;
      if (wrong.length === 0) silent.right++;
    }
    for (const { value, prob } of wrong) say(`  ${photo.file}: no ${value} (${prob}) there`);
  }
  return {
    analysis: "object-id, names",
    method: "photos that nothing was tuned on",
    metrics: [
      shareMetric("names that are true", all.right, all.found, { stated: OBJECTS.precision }),
      shareMetric("subjects named", named.right, named.photos, { stated: OBJECTS.recall }),
      shareMetric("nothing false where there is no subject", silent.right, silent.photos, { stated: OBJECTS.silent }),
    ],
  };
};

/** How often a caption states only what is there. Man, woman and activities are not checked: a person has to read them. */
export const evaluateCaptions = async (folder: string): Promise<Evaluation> => {
  const photos = judgedIn(folder);
  let [right, present, telling, subjects] = [0, 0, 0, 0];
  for (const photo of photos) {
    const { description, isTrue } = await captionOf(await frameOf(folder, photo), photo);
    const isSubject = photo.names.length > 0;
    if (isSubject) subjects++;
    if (description === undefined) continue;
    present++;
    if (isTrue) right++;
    if (isTrue && isSubject) telling++;
    say(`  ${photo.file}: ${description}${isTrue ? "" : "  FALSE"}`);
  }
  return {
    analysis: "caption",
    method: "photos that nothing was tuned on",
    metrics: [
      shareMetric("captions that are true", right, present, { stated: CAPTIONS.precision }),
      shareMetric("photos of something with a true caption", telling, subjects, { stated: CAPTIONS.recall }),
    ],
  };
};

/** What docs/models-notes.md states. */
const OBJECTS = { precision: 0.914, recall: 0.683, silent: 0.955 };
const CAPTIONS = { precision: 0.924, recall: 0.72 };

/** The context of a company without a gallery. */
const NO_GALLERY = { gallery: { faces: [], marks: [] } } as const;

const isThere = (name: string, { names, also, people }: Judged): boolean =>
  names.includes(name) || also.includes(name) || (name === "person" && people !== 0);

const captionOf = async (frame: Frame, photo: Judged): Promise<{ description?: string; isTrue: boolean }> => {
  const ingredients = await captionIngredients(frame);
  const description = sentenceOf(ingredients);
  const { people, groups } = ingredients;
  const isTrue = groups.every(({ label }) => isThere(label, photo)) && (people === undefined || isCount(people, photo));
  return { ...(description === undefined ? {} : { description }), isTrue };
};

/** A number of a photo with "2+" people is unknown; "people" is true of it, and so is that there are two. */
const isCount = ({ count, exact }: { count: number; exact: boolean }, { people }: Judged): boolean => {
  if (typeof people === "number") return exact || count === 1 ? count === people : people > 1;
  const least = Number.parseInt(people, 10);
  return least <= count && (!exact || count > EXACT_MAX || count === least);
};

/** Larger groups are not counted in captions. */
const EXACT_MAX = 6;
