/** Returns the `code` of an error of the system, a driver or Clipmill, or null if it has none. */
export function codeOf(error: unknown): string | null {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null;
}

/** Returns whether the error has one of these codes. */
export function hasCode(error: unknown, ...codes: readonly string[]): error is Error & { code: string } {
  const code = codeOf(error);
  return code !== null && codes.includes(code);
}

/** Returns whether a file does not exist, or lies below something that is not a folder. */
export function isMissing(error: unknown): boolean {
  return hasCode(error, "ENOENT", "ENOTDIR");
}
