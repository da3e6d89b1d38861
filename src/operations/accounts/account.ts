import { z } from "zod";
import type { UserMetadata } from "#database/tables.ts";

/** An account as the verbs hand it out: without its password. */
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

/** The columns of an account that may leave the database. */
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

const LONGEST_EMAIL = 254;

/** An address, trimmed and in lower case. A host without a dot is fine: people run this on localhost. */
export const emailSchema = z
  .string()
  .trim()
  .toLowerCase()
  .max(LONGEST_EMAIL)
  // PostgreSQL stores no NUL, and no address holds other control characters either.
  .regex(/^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u)
  .refine((email) => email.isWellFormed());
