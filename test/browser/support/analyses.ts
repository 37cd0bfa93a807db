import { photo } from "../../rest/sample-files.js";
import { sender } from "../../support/server.js";
import type { Demo } from "../../support/demo.js";

const OPERATIONS = "/api/v2/products/api/operations";
const TEXTS = [
  "I love the new museum in Lisbon! The rooms are bright, but the queue at the entrance made me furious.",
  "The ministry confirms the recall of 4,000 cars.",
  "Congratulations!!! You won a $1000 gift card. Click http://win.example now to claim your prize.",
];

/** An analysis of texts of which everything is told that is told of texts. Returns its address. */
export async function analyzedTexts(server: Demo): Promise<string> {
  const analyses = ["sentiment-simple", "sentiment-real", "topic", "intention", "spam-detection", "personality-mb"];
  return analyzed(server, { type: "text", analyses, contents: TEXTS, explain: true, offsets: "utf16" });
}

/** An analysis of texts that are too many for one answer. Returns its address. */
export async function analyzedMany(server: Demo): Promise<string> {
  const contents = Array.from({ length: 60 }, (_, number) => `I love museum ${number}.`);
  return analyzed(server, { type: "text", analyses: ["sentiment-simple"], contents });
}

/** An analysis of a photo of people, with boxes around what was seen. Returns its address. */
export async function analyzedPhoto(server: Demo): Promise<string> {
  const authorization = await signedIn(server);
  const form = new FormData();
  form.set("file", new Blob([new Uint8Array(await photo(1))]), "people.jpg");
  const sent = await fetch(`${server.url}${OPERATIONS}/upload`, {
    method: "POST",
    headers: { authorization },
    body: form,
  });
  const { id } = (await sent.json()) as { id: number };
  return analyzed(server, { type: "file", analyses: ["face-id", "object-id", "caption"], contents: [id] });
}

async function analyzed(server: Demo, body: object): Promise<string> {
  const authorization = await signedIn(server);
  const send = sender(server.url);
  const created = await send("POST", OPERATIONS, { authorization, body });
  const location = created.headers.get("location");
  if (location === null) throw new Error(`The analysis was refused: ${created.text}`);
  for (;;) {
    const { body: read } = await send("GET", `${location}?wait=20&data=false`, { authorization });
    const { status } = read as { status: string };
    if (status === "done") return `/analyses/${location.split("/").at(-1) ?? ""}`;
    if (status === "failed" || status === "invalid") throw new Error(`The analysis is ${status}.`);
  }
}

async function signedIn({ url, email, password }: Demo): Promise<string> {
  const answer = await sender(url)("POST", "/api/v1/users/sign_in", { body: { user: { email, password } } });
  return answer.headers.get("authorization") ?? "";
}
