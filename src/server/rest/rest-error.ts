import type { ContentfulStatusCode } from "hono/utils/http-status";

export class RestError extends Error {
  readonly status: ContentfulStatusCode;
  readonly code: string;
  readonly details: string | null;

  constructor(status: ContentfulStatusCode, code: string, message: string, details: string | null = null) {
    super(message);
    this.name = "RestError";
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

export function unreadable(text: string): RestError {
  return new RestError(400, "PGRST100", "This query is not supported.", `could not read "${text}"`);
}
