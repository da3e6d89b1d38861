import { setTimeout as sleep } from "node:timers/promises";
import { TOTP } from "otpauth";

const STEP_MS = 30_000;

/** The server accepts each code once, including those of adjacent time steps. */
export function openAuthenticator(secret: string): { nextCode(): Promise<string> } {
  const totp = new TOTP({ secret });
  let last = 0;
  return {
    async nextCode() {
      const step = Math.max(last + 1, Math.floor(Date.now() / STEP_MS) - 1);
      last = step;
      await sleep(Math.max(0, (step - 1) * STEP_MS - Date.now()));
      return totp.generate({ timestamp: step * STEP_MS });
    },
  };
}
