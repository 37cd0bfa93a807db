/** Returns the media type of a Content-Type header in lower case without parameters; empty without a header. */
export function mediaType(contentType: string | undefined): string {
  return (contentType ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

/** Returns the charset a Content-Type header names, in lower case. */
export function charset(contentType: string | undefined): string | undefined {
  return /;\s*charset\s*=\s*"?([^";\s]*)"?/i.exec(contentType ?? "")?.[1]?.toLowerCase();
}
