/** Who is signed in, as React sees it. */
import { useSyncExternalStore } from "react";
import { auth } from "./client.ts";

type SessionState = { status: "unknown" } | { status: "signed-out" } | { status: "signed-in"; userId: string };

let state: SessionState = { status: "unknown" };
const listeners = new Set<() => void>();

auth.onAuthStateChange((_event, session) => {
  const next: SessionState = session ? { status: "signed-in", userId: session.user.id } : { status: "signed-out" };
  // The client says SIGNED_IN again at every focus of the tab; only a real change may touch the screen.
  if (isSame(state, next)) return;
  state = next;
  for (const listener of listeners) listener();
});

function isSame(a: SessionState, b: SessionState): boolean {
  return a.status === b.status && (a.status !== "signed-in" || b.status !== "signed-in" || a.userId === b.userId);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function readState(): SessionState {
  return state;
}

/** "unknown" until the stored session has been looked at, and renewed if it had to be. */
export function useSession(): SessionState {
  return useSyncExternalStore(subscribe, readState);
}

const UNEXPECTED = "An unexpected error occurred.";

/** Signs in. Returns null, or the sentence to show when it did not work. */
export async function signIn(email: string, password: string): Promise<string | null> {
  try {
    const { error } = await auth.signInWithPassword({ email, password });
    if (!error) return null;
    // Without a status there was no answer, and the text is the browser's, not the provider's.
    return error.status ? error.message || UNEXPECTED : UNEXPECTED;
  } catch {
    return UNEXPECTED;
  }
}

/** Ends the session of this browser, in all its tabs. Works without a connection too. */
export async function signOut(): Promise<void> {
  await auth.signOut({ scope: "local" });
}
