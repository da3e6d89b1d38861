import { z } from "zod";
import type { UserMetadata } from "#database/tables.ts";

/** An account without its password. */
export type Account = {
  id: string;
  email: string;
  email_confirmed_at: string | null;
  new_email: string | null;
  user_metadata: UserMetadata;
  last_sign_in_at: string | null;
  updated_at: string;
  created_at: string;
};

/** Columns of an account that may leave the database. */
export const ACCOUNT_COLUMNS = [
  "accounts.id",
  "accounts.email",
  "accounts.email_confirmed_at",
  "accounts.new_email",
  "accounts.user_metadata",
  "accounts.last_sign_in_at",
  "accounts.updated_at",
  "accounts.created_at",
] as const;

const MAX_EMAIL_LENGTH = 254;

/** An email address, trimmed and in lower case. Hosts need no dot, for localhost. */
export const emailSchema = z
  .string()
  .trim()
  .toLowerCase()
  .max(MAX_EMAIL_LENGTH)
  // PostgreSQL cannot store NUL; addresses contain no other control characters either.
  .regex(/^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u)
  .refine((email) => email.isWellFormed());
