import type { DescField } from "@bufbuild/protobuf";
import { AuthorSchema, CountsSchema, PlaceSchema } from "@hourglass/proto/insight/v1/posting";

/** Fields of a posting that hold messages, by the type of the message. */
const HOLDERS = new Map<string, "place" | "counts" | "author">([
  [PlaceSchema.typeName, "place"],
  [CountsSchema.typeName, "counts"],
  [AuthorSchema.typeName, "author"],
]);

/** The field of a posting whose message has the given field; undefined if the posting itself has it. */
export function holderOf({ parent }: DescField): "place" | "counts" | "author" | undefined {
  return HOLDERS.get(parent.typeName);
}
