import { z } from "zod";
import { ClipmillError } from "#contract/errors.ts";

/** What a schema makes of the input. Throws ClipmillError "invalid" with one sentence about the first fault. */
export function parseInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = schema.safeParse(input, { error: nameField });
  if (parsed.success) return parsed.data;
  throw new ClipmillError("invalid", parsed.error.issues[0]!.message);
}

/** zod's own messages do not say which field they are about; a schema's messages are whole sentences and stay. */
const nameField: z.core.$ZodErrorMap = (issue) => {
  const field = issue.path && issue.path.length > 0 ? issue.path.join(".") : "The request";
  const said = z.config().localeError?.(issue);
  return `${field}: ${(typeof said === "string" ? said : said?.message) ?? "could not be read"}`;
};
