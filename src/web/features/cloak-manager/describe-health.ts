import type { RouteHealth } from "#contract/cloak/cloak.ts";
import { describeLastPublished } from "./publishing/last-published.ts";

/** Returns up to three sentences. `nowMs`: since 1970. */
export function describeHealth({ state, reason, checkedAt }: RouteHealth, nowMs: number): string {
  const words = [SENTENCES[state]];
  if (reason) words.push(/[.!?]$/.test(reason) ? reason : `${reason}.`);
  if (checkedAt) words.push(`Checked ${describeLastPublished(checkedAt, nowMs).toLowerCase()}.`);
  return words.join(" ");
}

const SENTENCES: Record<RouteHealth["state"], string> = {
  up: "The primary URL is responding.",
  down: "The primary URL isn't responding, so visitors are redirected to the fallback.",
  unknown: "The status of the primary URL is unknown.",
};
