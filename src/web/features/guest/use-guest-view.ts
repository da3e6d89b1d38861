import { useCallback, useEffect, useRef, useState } from "react";
import type { GuestView } from "#contract/guests/guests.ts";
import { readView } from "./guest-calls.ts";
import { isReplaced } from "./replaced-samples.ts";

/** Samples appear one by one while they are made. An operator may change them while they await approval. */
const REFRESH_MS: Partial<Record<GuestView["state"], number>> = { making: 5_000, waiting: 30_000 };

type Shown = { view: GuestView | null; hasChanged: boolean };

export type GuestState = {
  view: GuestView | null;
  /** Other samples have replaced those shown since the guest's last comment. */
  hasChanged: boolean;
  error: string | null;
  /** Shows the response to a comment or an approval. */
  setView: (view: GuestView) => void;
  refresh: () => Promise<void>;
};

/** Refetches while samples are made or await approval, and when the page becomes visible or focused. */
export function useGuestView(): GuestState {
  const [{ view, hasChanged }, setShown] = useState<Shown>({ view: null, hasChanged: false });
  const [error, setError] = useState<string | null>(null);
  const refreshMs = view ? REFRESH_MS[view.state] : undefined;
  // A read that started before the latest response may lack the guest's comment or approval.
  const responses = useRef(0);
  const read = useCallback(async (signal?: AbortSignal) => {
    const before = responses.current;
    const isCurrent = () => responses.current === before && !signal?.aborted;
    try {
      const next = await readView(signal);
      if (!isCurrent()) return;
      setShown((shown) => ({ view: next, hasChanged: shown.hasChanged || isReplaced(shown.view, next) }));
      setError(null);
    } catch (cause) {
      if (isCurrent()) setError(cause instanceof Error ? cause.message : String(cause));
    }
  }, []);
  useEffect(() => {
    const leaving = new AbortController();
    const refresh = () => {
      if (!document.hidden) void read(leaving.signal);
    };
    refresh();
    document.addEventListener("visibilitychange", refresh);
    window.addEventListener("focus", refresh);
    return () => {
      leaving.abort();
      document.removeEventListener("visibilitychange", refresh);
      window.removeEventListener("focus", refresh);
    };
  }, [read]);
  useEffect(() => {
    if (refreshMs === undefined) return;
    const timer = setInterval(() => {
      if (!document.hidden) void read();
    }, refreshMs);
    return () => clearInterval(timer);
  }, [read, refreshMs]);
  function setView(next: GuestView) {
    responses.current += 1;
    setShown((shown) => ({ view: next, hasChanged: isReplaced(shown.view, next) }));
  }
  return { view, hasChanged, error, setView, refresh: () => read() };
}
