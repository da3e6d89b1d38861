import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { writeAudit } from "../../audit/write-audit.ts";
import type { Context } from "../../context.ts";

const WINDOW_SECONDS = 10 * 60;
/** Per account and address; throttles stop further tries. */
const MAX_PER_PAIR = 3;
/** A flood from many addresses must not fill the table. */
const MAX_TOTAL = 30;

export type RunInBackground = (name: string, task: () => Promise<void>) => void;

type FailedProof = {
  action: "account.sign-in-failed" | "second-step.fail";
  /** A null id means that no account has this email. */
  account: { id: string | null; email: string };
  /** The client's IP address. */
  address: string;
};

export type RecordFailedProof = (
  context: Pick<Context, "db"> & { runInBackground: RunInBackground },
  { action, account, address }: FailedProof,
) => Promise<void>;

export function createFailedProofRecorder(): RecordFailedProof {
  const perPair = new RateLimiterMemory({ points: MAX_PER_PAIR, duration: WINDOW_SECONDS });
  const inTotal = new RateLimiterMemory({ points: MAX_TOTAL, duration: WINDOW_SECONDS });
  return async (context, { action, account, address }) => {
    try {
      await perPair.consume(`${address} ${account.email}`);
      await inTotal.consume("all");
    } catch (error) {
      if (error instanceof RateLimiterRes) return;
      throw error;
    }
    // In the background: the response time must not reveal whether the account exists.
    context.runInBackground("record failed sign-in", () =>
      writeAudit(context.db, account, { action, subjects: [address] }),
    );
  };
}
