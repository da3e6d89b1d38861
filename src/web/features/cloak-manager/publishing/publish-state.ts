/** Stored in this browser: the auto-publish switch, and the server's last state for the first paint. */
import { useSyncExternalStore } from "react";

type PublishState = {
  autoPublish: boolean;
  lastPublishedAt: string | null;
  hasUnpublishedChanges: boolean;
  pendingChangeCount: number;
};

const STORAGE_KEY = "clipmill-publish-state";
const CHANGED = "clipmill-publish-state-changed";
const UNKNOWN: PublishState = {
  autoPublish: false,
  lastPublishedAt: null,
  hasUnpublishedChanges: false,
  pendingChangeCount: 0,
};

/** Same text, same object. */
let known: { text: string | null; state: PublishState } = { text: null, state: UNKNOWN };
/** Fallback while storage is blocked. */
let unstored: string | null = null;

function readPublishState(): PublishState {
  const text = readText();
  if (text !== known.text) known = { text, state: parse(text) };
  return known.state;
}

/** Notifies all tabs. */
export function rememberPublishState(changes: Partial<PublishState>): void {
  const text = JSON.stringify({ ...readPublishState(), ...changes });
  if (text === readText()) return;
  unstored = text;
  try {
    localStorage.setItem(STORAGE_KEY, text);
  } catch {
    // In memory only.
  }
  window.dispatchEvent(new Event(CHANGED));
}

/** Follows changes in all tabs. Missing or invalid fields mean off, never and no changes. */
export function usePublishState(): PublishState {
  return useSyncExternalStore(subscribe, readPublishState);
}

function subscribe(listener: () => void): () => void {
  window.addEventListener(CHANGED, listener);
  window.addEventListener("storage", listener);
  return () => {
    window.removeEventListener(CHANGED, listener);
    window.removeEventListener("storage", listener);
  };
}

function readText(): string | null {
  try {
    return localStorage.getItem(STORAGE_KEY);
  } catch {
    return unstored;
  }
}

function parse(text: string | null): PublishState {
  try {
    const { autoPublish, lastPublishedAt, pendingChangeCount } = JSON.parse(text ?? "{}") as Partial<PublishState>;
    const count = Number.isInteger(pendingChangeCount) ? Math.max(0, pendingChangeCount!) : 0;
    return {
      autoPublish: autoPublish === true,
      lastPublishedAt: Number.isNaN(Date.parse(lastPublishedAt ?? "")) ? null : lastPublishedAt!,
      hasUnpublishedChanges: count > 0,
      pendingChangeCount: count,
    };
  } catch {
    return UNKNOWN;
  }
}
