import type { GuestView } from "#contract/guests/guests.ts";
import { CallError, readCallError, UNREACHABLE } from "../../api/functions/call-error.ts";

/** Reads the job behind the page's guest link. Throws CallError. */
export function readView(signal?: AbortSignal): Promise<GuestView> {
  return call("view", { signal: signal ?? null });
}

/** A moment of a sample. */
export type CommentPlace = { output_id: string; at_seconds: number };

/** Without `place`, the comment is about all samples. Throws CallError. */
export function sendComment(author: string, message: string, place?: CommentPlace): Promise<GuestView> {
  return call("comments", { method: "POST", body: JSON.stringify({ author, message, ...place }) });
}

/** The comment is optional. Throws CallError; status 409 if `view` does not show the current samples. */
export function approveSamples(view: GuestView, author: string, message: string): Promise<GuestView> {
  const samples = view.samples.map(({ id }) => id);
  return call("approve", { method: "POST", body: JSON.stringify({ author, message, samples }) });
}

async function call(name: string, request: RequestInit): Promise<GuestView> {
  const address = `${location.pathname.replace(/\/+$/, "")}/${name}`;
  const response = await fetch(address, request).catch((error: unknown) => {
    if (request.signal?.aborted) throw error;
    throw new CallError(0, UNREACHABLE);
  });
  if (!response.ok) throw await readCallError(response);
  return ((await response.json()) as { data: GuestView }).data;
}

type Shown = Pick<GuestView, "state"> & { samples: readonly Pick<GuestView["samples"][number], "id">[] };

/** True if a sample is gone, or was added to samples that were ready. Pure. */
export function isReplaced(before: Shown | null, next: Shown): boolean {
  if (before === null) return false;
  const ids = new Set(next.samples.map(({ id }) => id));
  const isGone = before.samples.some(({ id }) => !ids.has(id));
  return isGone || (before.state === "waiting" && ids.size > before.samples.length);
}
