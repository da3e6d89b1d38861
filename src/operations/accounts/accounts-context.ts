import type { Logger } from "pino";
import type { Mailer } from "#integrations/mail.ts";
import type { Context } from "../context.ts";
import type { CodeHasher } from "./mail/mail-token.ts";
import type { NoteFailedProof, RunLater } from "./sign-in/note-failed-proof.ts";
import type { RefreshTokens } from "./sessions/refresh-token.ts";
import type { Throttles } from "./sign-in/throttle.ts";

/** The dependencies of the account verbs, created once when the server starts. */
export type AccountsContext = Pick<Context, "db" | "secrets"> & {
  refreshTokens: RefreshTokens;
  hashCode: CodeHasher;
  throttles: Throttles;
  noteFailedProof: NoteFailedProof;
  /** Null without a mail server: nothing is sent, and the log says so. */
  mailer: Mailer | null;
  /** The base address for links in emails; always set when there is a mail server. */
  publicUrl: string | null;
  /** True if anyone can sign up. */
  allowSignup: boolean;
  runLater: RunLater;
  log: Logger;
};
