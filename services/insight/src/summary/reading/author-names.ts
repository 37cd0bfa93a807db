import { PLATFORM } from "@hourglass/posting";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { AuthorSchema } from "@hourglass/proto/insight/v1/posting";
import type { Platform } from "@hourglass/proto/insight/v1/platform";
import { present } from "../../postings/messages/present.js";
import type { Collections } from "../../records/collections.js";
import { authorOfKey } from "../counting/posting-values.js";

/** An author as a list names it. */
export interface NamedAuthor {
  platform: Platform;
  author: MessageInitShape<typeof AuthorSchema>;
}

/** The author of a key; the names of one with an id are those of one of the postings. */
export async function nameAuthor(
  postings: Collections["postings"],
  companyId: number,
  key: string,
): Promise<NamedAuthor> {
  const { platform, names: known } = authorOfKey(key);
  const author = known.id === undefined ? known : await namesOf(postings, { companyId, platform, authorId: known.id });
  const { id = known.id, username, name } = author;
  const names = present({ authorId: id, authorUsername: username, authorName: name });
  return { platform: PLATFORM.numberOf(platform), author: names };
}

async function namesOf(
  postings: Collections["postings"],
  by: { companyId: number; platform: string; authorId: string },
): Promise<{ id?: string; username?: string; name?: string }> {
  const [posting] = await postings.find(by, { limit: 1 });
  return posting?.content.author ?? {};
}
