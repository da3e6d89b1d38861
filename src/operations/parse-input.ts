import { z } from "zod";
import { ClipmillError } from "#contract/errors.ts";

/** Throws ClipmillError "invalid" with one sentence about the first error. */
export function parseInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = schema.safeParse(input, { error: nameField });
  if (parsed.success) return parsed.data;
  throw new ClipmillError("invalid", parsed.error.issues[0]!.message);
}

/** Adds the field's name to zod's own messages; a schema's messages are full sentences. */
const nameField: z.core.$ZodErrorMap = (issue) => {
  const field = issue.path && issue.path.length > 0 ? issue.path.join(".") : "The request";
  const localized = z.config().localeError?.(issue);
  return `${field}: ${(typeof localized === "string" ? localized : localized?.message) ?? "is not valid"}`;
};
