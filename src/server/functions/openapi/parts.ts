import type { z } from "zod";
import { components } from "#contract/component.ts";
import { Problem } from "#contract/problems.ts";

export type Schema = Record<string, unknown>;

/** Throws for a schema without a name. */
export function refOf(schema: z.ZodType): { $ref: string } {
  const id = components.get(schema)?.id;
  if (id === undefined) throw new Error("The schema of a response needs a name: use `component`.");
  return { $ref: `#/components/schemas/${id}` };
}

export function jsonBody(schema: Schema): Schema {
  return { "application/json": { schema } };
}

const STATUSES: [status: string, description: string][] = [
  ["400", "The request is not valid."],
  ["401", "The session or API token is missing, expired or revoked."],
  ["403", "The API token lacks the scope, or the operation requires a session."],
  ["404", "There is no such job, row or file."],
  ["409", "The current state does not allow this."],
  ["422", "A link or file cannot be used, or the Idempotency-Key was used for another request."],
];

const LIMIT_HEADERS = {
  "RateLimit-Policy": {
    description: 'The limit of an API token, such as `"token";q=3000;w=60`.',
    schema: { type: "string" },
  },
  RateLimit: {
    description: 'The remaining requests and the seconds until the limit resets, such as `"token";r=2990;t=31`.',
    schema: { type: "string" },
  },
};

export function problemResponses(isRepeatable: boolean): Schema {
  const content = jsonBody(refOf(Problem));
  const known = STATUSES.filter(([status]) => status !== "422" || isRepeatable);
  const described = known.map(([status, description]) => [status, { description, content }]);
  return {
    ...(Object.fromEntries(described) as object),
    429: {
      description: "Too many requests, or too many in progress.",
      headers: { "Retry-After": { description: "Seconds to wait.", schema: { type: "integer" } }, ...LIMIT_HEADERS },
      content,
    },
    default: { description: "Another error.", content },
  };
}
