const clock = new Intl.DateTimeFormat("en-US", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

/** Describes when waiting videos are retried: "Next try at about 14:32." in local time. */
export function describeNextTry(nextTryAt: string | null, nowMs: number): string {
  if (nextTryAt === null || Date.parse(nextTryAt) <= nowMs) return "Trying again now.";
  return `Next try at about ${clock.format(new Date(nextTryAt))}.`;
}
