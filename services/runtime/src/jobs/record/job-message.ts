import { create, type DescMessage, fromBinary, getOption, toBinary } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { queues } from "@hourglass/proto/options/v1/queues";

/** Encoding of a job's id in a queue message. */
export interface JobMessage {
  encode(id: number): Uint8Array;
  /** The id; undefined if the body is not such a message. */
  decode(body: Uint8Array): number | undefined;
  /** Name of the message, used in the reason of a dead letter. */
  readonly name: string;
}

/** The message of a kind of job: `field`, an int64 field of the schema, holds the id of the record. */
export function jobMessage(schema: DescMessage, field: string): JobMessage {
  const desc = schema.field[field];
  if (desc === undefined) throw new TypeError(`${schema.typeName} has no field ${field}`);
  return {
    name: schema.name,
    encode: (id) => {
      const message = reflect(schema, create(schema));
      message.set(desc, BigInt(id));
      return toBinary(schema, message.message);
    },
    decode: (body) => {
      try {
        const id = Number(reflect(schema, fromBinary(schema, body)).get(desc));
        return Number.isSafeInteger(id) && id > 0 ? id : undefined;
      } catch {
        return undefined; // not this message; the caller sends it to the dead letters
      }
    },
  };
}

/** The queues that the contract declares for a message, in order. */
export function queuesOf(schema: DescMessage): string[] {
  return getOption(schema, queues);
}
