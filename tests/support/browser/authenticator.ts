import { setTimeout as sleep } from "node:timers/promises";
import { TOTP } from "otpauth";

const STEP_MS = 30_000;

/** An authenticator app for one secret. The server takes each code once, and those beside the current one, too. */
export function openAuthenticator(secret: string): { nextCode(): Promise<string> } {
  const totp = new TOTP({ secret });
  let last = 0;
  return {
    /** A code that was not shown before and is taken now; three in a row come at once, the next when its time has come. */
    async nextCode() {
      const step = Math.max(last + 1, Math.floor(Date.now() / STEP_MS) - 1);
      last = step;
      await sleep(Math.max(0, (step - 1) * STEP_MS - Date.now()));
      return totp.generate({ timestamp: step * STEP_MS });
    },
  };
}
