import { EMAIL, PASSWORD } from "../../support/server.js";

/** Signs in as the first user; returns the value of the Authorization header. */
export async function signIn(url: string): Promise<string> {
  const response = await fetch(`${url}/api/v1/users/sign_in`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ user: { email: EMAIL, password: PASSWORD } }),
  });
  const authorization = response.headers.get("authorization");
  if (authorization === null) throw new Error(`sign-in was answered ${response.status}`);
  return authorization;
}
