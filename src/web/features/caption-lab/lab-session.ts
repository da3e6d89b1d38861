/** Stored in the browser (SPEC sections 3 and 4). */
import type { VideoCaption } from "#contract/captions.ts";

export type LabSession = {
  videoLinks: string;
  generating: boolean;
  /** One per video, including the operator's edits. */
  generatedCaptions: VideoCaption[];
  currentProgress: string;
  batchId: string | null;
};

export const EMPTY_SESSION: LabSession = {
  videoLinks: "",
  generating: false,
  generatedCaptions: [],
  currentProgress: "",
  batchId: null,
};

const KEPT_MS = 24 * 60 * 60 * 1_000;
const KEY = "clipmill-caption-lab/";

type Store = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/** Returns a session that is not generating, or null; deletes sessions older than 24 hours. */
export function restoreSession(store: Store, owner: string, now = Date.now()): LabSession | null {
  const saved = readSaved(store, owner);
  if (saved && now - saved.timestamp >= 0 && now - saved.timestamp < KEPT_MS) {
    const { videoLinks, generatedCaptions, currentProgress, batchId } = saved;
    return { videoLinks, generatedCaptions, currentProgress, batchId, generating: false };
  }
  store.removeItem(KEY + owner);
  return null;
}

export function saveSession(store: Store, owner: string, session: LabSession, now = Date.now()): void {
  if (isEmpty(session)) store.removeItem(KEY + owner);
  else {
    try {
      store.setItem(KEY + owner, JSON.stringify({ ...session, timestamp: now }));
    } catch {
      // Storage is full or blocked; the screen works without it.
    }
  }
}

export function isEmpty({ videoLinks, generatedCaptions }: LabSession): boolean {
  return videoLinks === "" && generatedCaptions.length === 0;
}

function readSaved(store: Store, owner: string): (LabSession & { timestamp: number }) | null {
  try {
    const saved: unknown = JSON.parse(store.getItem(KEY + owner) ?? "null");
    return isSaved(saved) ? saved : null;
  } catch {
    return null;
  }
}

/** Stored data may come from another version or be edited by hand. */
function isSaved(value: unknown): value is LabSession & { timestamp: number } {
  if (typeof value !== "object" || value === null) return false;
  const saved = value as Partial<Record<keyof LabSession | "timestamp", unknown>>;
  return (
    typeof saved.videoLinks === "string" &&
    typeof saved.currentProgress === "string" &&
    typeof saved.timestamp === "number" &&
    (saved.batchId === null || typeof saved.batchId === "string") &&
    Array.isArray(saved.generatedCaptions) &&
    saved.generatedCaptions.every((row: Partial<VideoCaption> | null) => typeof row?.link === "string")
  );
}
