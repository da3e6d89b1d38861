export function codeOf(error: unknown): string | null {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null;
}

/** Ignores the error's cause. */
export function hasCode(error: unknown, ...codes: readonly string[]): error is Error & { code: string } {
  const code = codeOf(error);
  return code !== null && codes.includes(code);
}

/** Includes files below a non-folder. */
export function isMissing(error: unknown): boolean {
  return hasCode(error, "ENOENT", "ENOTDIR");
}
