/** Who is signed in, as React sees it, and what has to be done before the app opens. */
import { useSyncExternalStore } from "react";
import type { Session } from "@supabase/auth-js";
import { isRecovery } from "./arrival.ts";
import { type AuthFailure, failureOf } from "./auth-failure.ts";
import { auth } from "./client.ts";

/** `second-step` waits for a code; `new-password` for the password that a recovery link is there to set. */
type SessionState =
  | { status: "unknown" }
  | { status: "signed-out" }
  | { status: "second-step" | "new-password" | "signed-in"; userId: string; email: string };

/** In this tab's storage, so that a reload does not lead around the new password. */
const NEW_PASSWORD_DUE = "clipmill-new-password";

let session: Session | null = null;
let state: SessionState = { status: "unknown" };
const listeners = new Set<() => void>();

if (isRecovery) sessionStorage.setItem(NEW_PASSWORD_DUE, "due");

auth.onAuthStateChange((_event, next) => {
  session = next;
  if (!next) sessionStorage.removeItem(NEW_PASSWORD_DUE);
  update();
});

function update(): void {
  const next = readStateOf(session);
  // The client says SIGNED_IN again at every focus of the tab; only a real change may touch the screen.
  if (isSame(state, next)) return;
  state = next;
  for (const listener of listeners) listener();
}

function readStateOf(current: Session | null): SessionState {
  if (!current) return { status: "signed-out" };
  const user = { userId: current.user.id, email: current.user.email ?? "" };
  if (verifiedFactors().length > 0 && levelOf(current.access_token) !== "aal2") {
    return { status: "second-step", ...user };
  }
  return { status: sessionStorage.getItem(NEW_PASSWORD_DUE) ? "new-password" : "signed-in", ...user };
}

/** The level of assurance that a token's session has: "aal2" once a second step was passed. */
function levelOf(accessToken: string): unknown {
  const payload = accessToken.split(".")[1] ?? "";
  return (JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/"))) as { aal?: unknown }).aal;
}

function isSame(a: SessionState, b: SessionState): boolean {
  return a.status === b.status && (!("userId" in a) || !("userId" in b) || a.userId === b.userId);
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

/** An authenticator app that can pass the second step. */
export type SecondStep = { id: string; name: string };

/** The second steps of who is signing in. */
export function verifiedFactors(): SecondStep[] {
  const factors = session?.user.factors ?? [];
  return factors
    .filter((factor) => factor.status === "verified")
    .map(({ id, friendly_name: name }) => ({ id, name: name || "Authenticator app" }));
}

const RETRY_MS = 2_000;

/**
 * Signs in. While Clipmill is starting, retries every two seconds as long as `onStarting` returns true. Returns null,
 * or the error.
 */
export async function signIn(email: string, password: string, onStarting: () => boolean): Promise<AuthFailure | null> {
  for (;;) {
    const failure = await failureOf(auth.signInWithPassword({ email, password }));
    // Errors of the sign-in itself have a code.
    const mayBeStarting = failure !== null && failure.code === null;
    if (!mayBeStarting || !(await isStarting()) || !onStarting()) return failure;
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

/** Returns true while the server is starting and nobody can sign in yet. */
async function isStarting(): Promise<boolean> {
  try {
    const answer = await fetch("/ready");
    return answer.status === 503 && ((await answer.json()) as { status: string }).status === "starting";
  } catch {
    return false;
  }
}

/** Passes the second step with a code. Returns null, or why it did not work. */
export function passSecondStep(factorId: string, code: string): Promise<AuthFailure | null> {
  return failureOf(auth.mfa.challengeAndVerify({ factorId, code }));
}

/** Has a recovery link sent, which leads back here. Returns null, also for an address without an account, or why not. */
export function requestRecovery(email: string): Promise<AuthFailure | null> {
  return failureOf(auth.resetPasswordForEmail(email, { redirectTo: `${location.origin}/` }));
}

/** Whether this installation can send a recovery link. Throws when the server does not answer. */
export async function readSendsMail(signal: AbortSignal): Promise<boolean> {
  const answer = await fetch("/health", { signal });
  if (!answer.ok) throw new Error(`/health answered ${answer.status}.`);
  return ((await answer.json()) as { sendsMail: boolean }).sendsMail;
}

/** Sets the password that a recovery link is there for, and opens the app. Returns null, or why it did not work. */
export async function setNewPassword(password: string): Promise<AuthFailure | null> {
  const failure = await failureOf(auth.updateUser({ password }));
  if (failure) return failure;
  sessionStorage.removeItem(NEW_PASSWORD_DUE);
  update();
  return null;
}

/** Ends the session of this browser, in all its tabs. Works without a connection too. */
export async function signOut(): Promise<void> {
  await auth.signOut({ scope: "local" });
}
