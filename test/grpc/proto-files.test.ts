import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import {
  type DescField,
  type DescFile,
  type DescMessage,
  getExtension,
  getOption,
  hasExtension,
} from "@bufbuild/protobuf";
import { reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import * as rules from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { loadSync } from "@grpc/proto-loader";
import { RULES_WITH_SENTENCES } from "@hourglass/runtime";
import { expect, it } from "vitest";
import { isWholeSentence } from "../support/sentences.js";
import { describedServices } from "./every-method.js";

const PROTO = fileURLToPath(new URL("../../proto", import.meta.url));
const FILES = readdirSync(`${PROTO}/hourglass`, { recursive: true, encoding: "utf8" }).filter((file) =>
  file.endsWith(".proto"),
);

// Its parser knows less of the language than protoc and buf.
it.each(FILES)("can be loaded by proto-loader with all that it imports: %s", (file) => {
  const definition = loadSync(`hourglass/${file}`, { includeDirs: [PROTO, `${PROTO}/vendor`] });
  const source = readFileSync(`${PROTO}/hourglass/${file}`, "utf8");
  const services = [...source.matchAll(/^service (\w+)/gm)].map(([, name = ""]) => name);
  const loaded = Object.keys(definition).map((name) => name.split(".").at(-1));
  expect(loaded).toEqual(expect.arrayContaining(services));
});

/** Our files that describe a service, and their imports. */
async function describedFiles(): Promise<DescFile[]> {
  const services = await describedServices();
  const files = new Set(services.flatMap(({ file }) => [file, ...file.dependencies]));
  return [...files].filter(({ name }) => name.startsWith("hourglass/"));
}

/** Rules that modify others and refuse nothing by themselves. */
const SETTINGS = new Set(["ignore"]);

/** Ids of the standard rules set in a message and below, for example `string.min_len`, and the rules in CEL. */
function rulesIn(message: ReflectMessage, prefix = ""): { ids: string[]; sentences: string[] } {
  const found = { ids: [] as string[], sentences: [] as string[] };
  for (const field of message.fields.filter((one) => message.isSet(one) && !SETTINGS.has(one.name))) {
    if (field.name === "cel") found.sentences.push(...sentencesOf(message, field));
    else if (field.message === undefined || field.fieldKind === "list") found.ids.push(prefix + field.name);
    else {
      const inner = rulesIn(message.get(field) as ReflectMessage, field.name === "items" ? "" : `${field.name}.`);
      found.ids.push(...inner.ids);
      found.sentences.push(...inner.sentences);
    }
  }
  return found;
}

function sentencesOf(message: ReflectMessage, field: DescField): string[] {
  const list = message.get(field) as Iterable<ReflectMessage>;
  return [...list].map((rule) => (rule.message as unknown as { message: string }).message);
}

/** A pair of limits is one rule. */
function asChecked(ids: readonly string[]): string[] {
  const joined = ids.join(" ").replace(/(\w+)\.lt \1\.gt\b/g, "$1.gt_lt");
  return joined
    .replace(/(\w+)\.lte \1\.gte\b/g, "$1.gte_lte")
    .split(" ")
    .filter(Boolean);
}

/** The sentences of the rules that a file defines for fields of any message. */
function predefinedSentences({ extensions }: DescFile): string[] {
  return extensions.flatMap((extension) => getOption(extension, rules.predefined).cel.map(({ message }) => message));
}

async function allRules() {
  const files = await describedFiles();
  const messages: DescMessage[] = files.flatMap((file) => file.messages);
  const found = messages.flatMap((message) => {
    const ofMessage = message.proto.options;
    const own =
      ofMessage !== undefined && hasExtension(ofMessage, rules.message)
        ? [rulesIn(reflect(rules.MessageRulesSchema, getExtension(ofMessage, rules.message)))]
        : [];
    const ofFields = message.fields.flatMap(({ proto: { options } }) =>
      options !== undefined && hasExtension(options, rules.field)
        ? [rulesIn(reflect(rules.FieldRulesSchema, getExtension(options, rules.field)))]
        : [],
    );
    return [...own, ...ofFields];
  });
  return {
    ids: new Set(found.flatMap(({ ids }) => asChecked(ids))),
    sentences: [...files.flatMap(predefinedSentences), ...found.flatMap(({ sentences }) => sentences)],
  };
}

it("every rule that the proto files word themselves is a whole sentence", async () => {
  const { sentences } = await allRules();
  expect(sentences.length).toBeGreaterThan(5);
  expect(sentences.filter((sentence) => !isWholeSentence(sentence))).toEqual([]);
});

it("every standard rule of the proto files has a sentence that names the remedy", async () => {
  const { ids } = await allRules();
  expect(ids.size).toBeGreaterThan(8);
  expect([...ids].filter((id) => !RULES_WITH_SENTENCES.has(id))).toEqual([]);
});
