import type { Logger } from "pino";
import type { Mailer } from "#integrations/mail.ts";
import type { Context } from "../context.ts";
import type { CodeHasher } from "./mail/mail-token.ts";
import type { RecordFailedProof, RunInBackground } from "./sign-in/record-failed-proof.ts";
import type { RefreshTokens } from "./sessions/refresh-token.ts";
import type { Throttles } from "./sign-in/throttle.ts";

export type AccountsContext = Pick<Context, "db" | "secrets"> & {
  refreshTokens: RefreshTokens;
  hashCode: CodeHasher;
  throttles: Throttles;
  noteFailedProof: RecordFailedProof;
  /** Null without a mail server: emails are logged as not sent. */
  mailer: Mailer | null;
  /** Base of links in emails; set if there is a mail server. */
  publicUrl: string | null;
  allowSignup: boolean;
  runInBackground: RunInBackground;
  log: Logger;
};
