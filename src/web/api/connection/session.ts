/** Session state for React, and sign-in calls, which return null on success. */
import { useSyncExternalStore } from "react";
import type { Session } from "@supabase/auth-js";
import { isRecovery } from "./arrival.ts";
import { type AuthFailure, failureOf } from "./auth-failure.ts";
import { auth } from "./client.ts";

/** `second-step` needs a code; `new-password` follows a recovery link. */
type SessionState =
  | { status: "unknown" }
  | { status: "signed-out" }
  | { status: "second-step" | "new-password" | "signed-in"; userId: string; email: string };

/** Per tab, so that a reload does not skip setting the password. */
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
  // The client emits SIGNED_IN on every focus; rerender only on real changes.
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

/** "aal2" means that the second step was passed. */
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

/** Returns "unknown" until the stored session is read and, if needed, renewed. */
export function useSession(): SessionState {
  return useSyncExternalStore(subscribe, readState);
}

export type SecondStep = { id: string; name: string };

/** Returns none when signed out. */
export function verifiedFactors(): SecondStep[] {
  const factors = session?.user.factors ?? [];
  return factors
    .filter((factor) => factor.status === "verified")
    .map(({ id, friendly_name: name }) => ({ id, name: name || "Authenticator app" }));
}

const RETRY_MS = 2_000;

/** Retries every two seconds while Clipmill is starting and `onStarting` returns true. */
export async function signIn(email: string, password: string, onStarting: () => boolean): Promise<AuthFailure | null> {
  let isLastTry = false;
  for (;;) {
    const failure = await failureOf(auth.signInWithPassword({ email, password }));
    // Sign-in errors have a code.
    if (!failure || failure.code !== null || isLastTry) return failure;
    const readiness = await readReadiness();
    if (readiness === "starting" && onStarting()) {
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    } else if (readiness === "ready") {
      // Clipmill may have become ready since the failed call.
      isLastTry = true;
    } else {
      return failure;
    }
  }
}

/** Returns null if the server cannot be reached, or something else responds. */
async function readReadiness(): Promise<string | null> {
  try {
    const response = await fetch("/ready");
    return ((await response.json()) as { status: string }).status;
  } catch {
    return null;
  }
}

/** `factorId` is one of `verifiedFactors`. Success ends "second-step". */
export function passSecondStep(factorId: string, code: string): Promise<AuthFailure | null> {
  return failureOf(auth.mfa.challengeAndVerify({ factorId, code }));
}

/** Also succeeds for unknown addresses. */
export function requestRecovery(email: string): Promise<AuthFailure | null> {
  return failureOf(auth.resetPasswordForEmail(email, { redirectTo: `${location.origin}/` }));
}

/** Throws if /health fails. */
export async function readSendsMail(signal: AbortSignal): Promise<boolean> {
  const response = await fetch("/health", { signal });
  if (!response.ok) throw new Error(`/health answered ${response.status}.`);
  return ((await response.json()) as { sendsMail: boolean }).sendsMail;
}

/** Also opens the app. */
export async function setNewPassword(password: string): Promise<AuthFailure | null> {
  const failure = await failureOf(auth.updateUser({ password }));
  if (failure) return failure;
  sessionStorage.removeItem(NEW_PASSWORD_DUE);
  update();
  return null;
}

/** Affects all tabs of this browser; works offline. */
export async function signOut(): Promise<void> {
  await auth.signOut({ scope: "local" });
}
