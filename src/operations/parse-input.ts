import { z } from "zod";
import { ClipmillError } from "#contract/errors.ts";

/** Parses the input with a schema. Throws ClipmillError "invalid" with one sentence about the first error. */
export function parseInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = schema.safeParse(input, { error: nameField });
  if (parsed.success) return parsed.data;
  throw new ClipmillError("invalid", parsed.error.issues[0]!.message);
}

/**
 * Prefixes zod's default messages with the field's name. A schema's own messages are full sentences and stay as they
 * are.
 */
const nameField: z.core.$ZodErrorMap = (issue) => {
  const field = issue.path && issue.path.length > 0 ? issue.path.join(".") : "The request";
  const localized = z.config().localeError?.(issue);
  return `${field}: ${(typeof localized === "string" ? localized : localized?.message) ?? "could not be read"}`;
};
