import { useEffect, useRef, useState } from "react";
import { useToast } from "../../ui/toasts/use-toast.ts";
import { EMPTY_SESSION, isEmpty, restoreSession, saveSession, type LabSession } from "./lab-session.ts";

const SAVE_DELAY_MS = 500;

/** Shows a toast if a stored session was restored. */
export function useRestoredSession(owner: string): LabSession {
  const toast = useToast();
  const [session] = useState(() => restoreSession(localStorage, owner) ?? EMPTY_SESSION);
  const isAnnounced = useRef(false);
  useEffect(() => {
    if (isAnnounced.current || isEmpty(session)) return;
    isAnnounced.current = true;
    toast.show({ title: "Session Restored", description: "Your links and captions are as you left them." });
  }, [session, toast]);
  return session;
}

/** Saves after 500 ms without changes, and immediately on leaving the screen. */
export function useSavedSession(owner: string, session: LabSession) {
  const text = JSON.stringify(session);
  const newest = useRef(session);
  const savedText = useRef(text);
  useEffect(() => {
    newest.current = session;
  });
  useEffect(() => {
    const save = () => {
      if (savedText.current === text) return;
      saveSession(localStorage, owner, newest.current);
      savedText.current = text;
    };
    const timer = setTimeout(save, SAVE_DELAY_MS);
    window.addEventListener("pagehide", save);
    return () => {
      clearTimeout(timer);
      window.removeEventListener("pagehide", save);
    };
  }, [owner, text]);
  useEffect(
    () => () => {
      const left = JSON.stringify(newest.current);
      if (savedText.current !== left) saveSession(localStorage, owner, newest.current);
      savedText.current = left;
    },
    [owner],
  );
}
