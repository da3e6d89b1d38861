import type { Context } from "hono";
import { z } from "zod";
import { AuthError } from "#operations/accounts/auth-error.ts";
import { readJson } from "../requests/read-json.ts";

const MAX_SECRET = 1_000;
const MAX_TEXT = 500;
const MAX_NAME = 50;

/** Compared or hashed, never stored as is. */
export const secret = z.string().min(1).max(MAX_SECRET);
/** May be stored (no NUL) and put into a URL (no lone surrogates). */
export const text = z
  .string()
  .max(MAX_TEXT)
  .regex(/^\P{Cc}*$/u)
  .refine((value) => value.isWellFormed());
export const name = text.max(MAX_NAME);
export const email = z.string().min(1).max(MAX_TEXT);

/** Throws AuthError "validation_failed" with `sentence`. */
export async function readBody<Schema extends z.ZodType>(
  c: Context,
  schema: Schema,
  sentence: string,
): Promise<z.output<Schema>> {
  return checkInput(schema, await readJson(c), sentence);
}

/** Throws AuthError "validation_failed" with `sentence`. */
export function checkInput<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  sentence: string,
): z.output<Schema> {
  const parsed = schema.safeParse(input);
  if (!parsed.success) throw new AuthError("validation_failed", sentence);
  return parsed.data;
}
