import type { GuestView } from "#contract/guests/guests.ts";

type Shown = Pick<GuestView, "state"> & { samples: readonly Pick<GuestView["samples"][number], "id">[] };

/** True if a sample is gone, or was added to samples that were ready. Pure. */
export function isReplaced(before: Shown | null, next: Shown): boolean {
  if (before === null) return false;
  const ids = new Set(next.samples.map(({ id }) => id));
  const isGone = before.samples.some(({ id }) => !ids.has(id));
  return isGone || (before.state === "waiting" && ids.size > before.samples.length);
}
