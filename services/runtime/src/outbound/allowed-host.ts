/**
 * Whether the host matches one of the patterns. `media.example.com` matches only that host, `*.example.org` every
 * subdomain of `example.org` but not `example.org` itself. Case and a trailing dot are ignored.
 */
export function isAllowedHost(host: string, patterns: readonly string[]): boolean {
  const name = plain(host);
  return patterns.some((pattern) => {
    const wanted = plain(pattern);
    return wanted.startsWith("*.")
      ? name.length > wanted.length - 1 && name.endsWith(wanted.slice(1))
      : name === wanted;
  });
}

function plain(host: string): string {
  return host.toLowerCase().replace(/\.$/, "");
}
