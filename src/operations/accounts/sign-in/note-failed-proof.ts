import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { writeAudit } from "../../audit/write-audit.ts";
import type { Context } from "../../context.ts";

const WINDOW_SECONDS = 10 * 60;
/** Entries within the window for one account from one address; the throttles stop who goes on. */
const MOST_PER_PAIR = 3;
/** Entries within the window in sum: a flood from a thousand addresses must not fill the table. */
const MOST = 30;

/** Does work that the answer does not wait for; errors are logged. */
export type RunLater = (name: string, task: () => Promise<void>) => void;

type FailedProof = {
  action: "account.sign-in-failed" | "second-step.fail";
  /** Null for an email that no account has. */
  account: { id: string | null; email: string };
  /** The client's. */
  address: string;
};

/** Writes down that somebody showed a wrong password or code, which itself is not written down. */
export type NoteFailedProof = (
  context: Pick<Context, "db"> & { runLater: RunLater },
  { action, account, address }: FailedProof,
) => Promise<void>;

/** Counts in the memory of this process. */
export function createFailedProofNotes(): NoteFailedProof {
  const perPair = new RateLimiterMemory({ points: MOST_PER_PAIR, duration: WINDOW_SECONDS });
  const inSum = new RateLimiterMemory({ points: MOST, duration: WINDOW_SECONDS });
  return async (context, { action, account, address }) => {
    try {
      await perPair.consume(`${address} ${account.email}`);
      await inSum.consume("all");
    } catch (refusal) {
      if (refusal instanceof RateLimiterRes) return;
      throw refusal;
    }
    // Beside the answer, which must not tell by its time whether there is such an account.
    context.runLater("write down a failed sign-in", () =>
      writeAudit(context.db, account, { action, subjects: [address] }),
    );
  };
}
