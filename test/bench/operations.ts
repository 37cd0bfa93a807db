/** The API of one server with a signed-in user. */
export interface Api {
  url: string;
  authorization: string;
}

const ROUTE = "/api/v2/products/api/operations";

/** Creates an operation on texts and returns its id. */
export async function createOperation(
  { url, authorization }: Api,
  contents: readonly string[],
  analyses: readonly string[],
): Promise<number> {
  const response = await fetch(url + ROUTE, {
    method: "POST",
    headers: { authorization, "content-type": "application/json" },
    body: JSON.stringify({ type: "text", analyses, contents }),
  });
  if (response.status !== 201) throw new Error(`creating was answered ${response.status}: ${await response.text()}`);
  return ((await response.json()) as { id: number }).id;
}

/** Reads an operation; waits up to `waitSeconds` for its end. */
export async function readOperation({ url, authorization }: Api, id: number, waitSeconds = 0): Promise<State> {
  const response = await fetch(`${url}${ROUTE}/${id}?wait=${waitSeconds}`, { headers: { authorization } });
  return (await response.json()) as State;
}

export interface State {
  status: string;
  finished_at: string | null;
}

/** Resolves when the operation is done; throws if it ended otherwise, or not within two minutes. */
export async function awaitDone(api: Api, id: number): Promise<State> {
  for (const giveUpAt = performance.now() + 120_000; performance.now() < giveUpAt;) {
    const state = await readOperation(api, id, 20);
    if (state.status === "done") return state;
    if (state.finished_at !== null) throw new Error(`operation ${id} is ${state.status}`);
  }
  throw new Error(`operation ${id} has not ended`);
}
