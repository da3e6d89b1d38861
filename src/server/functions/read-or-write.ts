import type { Fields } from "./define-call.ts";

/** For functions whose `method` selects read or write, as in SPEC. */
export const READ_OR_WRITE = {
  unknown: 'method: Invalid option: expected one of "GET"|"POST"',
  get: (query: Fields): Fields => ({ ...query, method: "GET" }),
};
