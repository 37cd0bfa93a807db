import { CreateOperationRequestSchema } from "@hourglass/proto/operation/v1/operation_service";
import * as s from "./schema.js";

/** All metadata have the same limits. */
const limits = s.limitsOf(s.fieldOf(CreateOperationRequestSchema, "metadata")).own;

/** Metadata in a request. */
export const NewMetadata = s.textMap("NewMetadata", "What your programs want to know of it, as texts by keys.", limits);

/** Metadata of a record, which is left out without any. */
export const Metadata = s.textMap("Metadata", "As you gave it. Absent without any.");

/** Parameters of a list of records with metadata. */
export const METADATA_FILTER: s.Shape = {
  "metadata.KEY": s.from(
    "metadata",
    s.withKeywords(
      s.optional(
        s.textsByKey(
          "Only those whose metadata has this value for the key that stands in place of `KEY`, such as " +
            "`metadata.ticket=4711`, exactly. With several, all of them.",
        ),
      ),
      { parameter: "MetadataEntry" },
    ),
  ),
};
