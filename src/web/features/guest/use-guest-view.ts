import { useEffect, useState } from "react";
import type { GuestView } from "#contract/guests/guests.ts";
import { readView } from "./guest-calls.ts";

/** Samples appear one by one while they are made. */
const REFRESH_MS = 5_000;

export type GuestState = { view: GuestView | null; error: string | null; setView: (view: GuestView) => void };

/** Refetches while samples are being made and when the page becomes visible. */
export function useGuestView(): GuestState {
  const [view, setView] = useState<GuestView | null>(null);
  const [error, setError] = useState<string | null>(null);
  const isChanging = view?.state === "making";
  useEffect(() => {
    const leaving = new AbortController();
    const read = async () => {
      if (document.hidden) return;
      try {
        setView(await readView(leaving.signal));
        setError(null);
      } catch (cause) {
        if (!leaving.signal.aborted) setError(cause instanceof Error ? cause.message : String(cause));
      }
    };
    const refresh = () => void read();
    refresh();
    const timer = isChanging ? setInterval(refresh, REFRESH_MS) : undefined;
    document.addEventListener("visibilitychange", refresh);
    return () => {
      leaving.abort();
      clearInterval(timer);
      document.removeEventListener("visibilitychange", refresh);
    };
  }, [isChanging]);
  return { view, error, setView };
}
