/** Returns the `code` of a system, driver or Clipmill error, or null. */
export function codeOf(error: unknown): string | null {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null;
}

/** Returns true for an Error with one of these codes. Does not check its cause. */
export function hasCode(error: unknown, ...codes: readonly string[]): error is Error & { code: string } {
  const code = codeOf(error);
  return code !== null && codes.includes(code);
}

/** Returns true if a file does not exist or lies below a non-folder. */
export function isMissing(error: unknown): boolean {
  return hasCode(error, "ENOENT", "ENOTDIR");
}
