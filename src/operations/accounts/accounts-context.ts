import type { Logger } from "pino";
import type { Mailer } from "#integrations/mail.ts";
import type { Context } from "../context.ts";
import type { CodeHasher } from "./mail/mail-token.ts";
import type { NoteFailedProof, RunLater } from "./sign-in/note-failed-proof.ts";
import type { RefreshTokens } from "./sessions/refresh-token.ts";
import type { Throttles } from "./sign-in/throttle.ts";

/** What the verbs about accounts need. Made once, where the server starts. */
export type AccountsContext = Pick<Context, "db" | "secrets"> & {
  refreshTokens: RefreshTokens;
  hashCode: CodeHasher;
  throttles: Throttles;
  noteFailedProof: NoteFailedProof;
  /** Null without a mail server; then nothing is sent, and the log says so. */
  mailer: Mailer | null;
  /** The address that links in mails start with; always set when there is a mail server. */
  publicUrl: string | null;
  /** Whether strangers may make accounts. */
  allowSignup: boolean;
  runLater: RunLater;
  log: Logger;
};
