const HOSTS = /^(?:www\.|m\.|music\.)?youtube\.com$/;
const VIDEO = /^\/(?:shorts|live|embed|v)\/([\w-]+)/;
const SHORT = /^\/([\w-]+)/;

/** The id of the video that an address of YouTube shows. */
export function videoIdIn({ hostname, pathname, searchParams }: URL): string | undefined {
  if (hostname === "youtu.be") return SHORT.exec(pathname)?.[1];
  if (!HOSTS.test(hostname)) return undefined;
  return pathname === "/watch" ? (searchParams.get("v") ?? undefined) : VIDEO.exec(pathname)?.[1];
}
