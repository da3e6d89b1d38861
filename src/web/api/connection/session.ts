/** Session state for React, and sign-in calls, which return null on success. */
import { useSyncExternalStore } from "react";
import type { Session } from "@supabase/auth-js";
import { OPENID_PATHS, type SignInOptions } from "#contract/accounts/sign-in.ts";
import { isRecovery, isSignedInAtProvider, setLinkProblem } from "./arrival.ts";
import { type AuthFailure, failureOf } from "./auth-failure.ts";
import { auth } from "./client.ts";

type Account = { userId: string; email: string };

/** `second-step` needs a code; `new-password` follows a recovery link. */
type AccountState =
  | { status: "unknown" }
  | { status: "signed-out" }
  | ({ status: "second-step" | "new-password" | "signed-in" } & Account);

type SessionState = AccountState & {
  /** The account whose screens are open; hidden after its session ends. Null once it signs out or another signs in. */
  open: Account | null;
};

/** Per tab, so that a reload does not skip setting the password. */
const NEW_PASSWORD_DUE = "clipmill-new-password";

let session: Session | null = null;
let state: SessionState = { status: "unknown", open: null };
let isLeaving = false;
/** Until the session is fetched with the cookie; the sign-in form must not flash. */
let isArriving = isSignedInAtProvider;
const listeners = new Set<() => void>();

if (isRecovery) sessionStorage.setItem(NEW_PASSWORD_DUE, "due");

auth.onAuthStateChange((_event, next) => {
  session = next;
  if (!next) sessionStorage.removeItem(NEW_PASSWORD_DUE);
  update();
});

if (isArriving) void takeCookieSession();

async function takeCookieSession(): Promise<void> {
  const failure = await failureOf(auth.refreshSession({ refresh_token: "cookie.arrival" }));
  if (failure) setLinkProblem(failure.message);
  isArriving = false;
  update();
}

function update(): void {
  if (isArriving) return;
  const account = readStateOf(session);
  const next = { ...account, open: openAfter(account) };
  // The client emits SIGNED_IN on every focus; rerender only on real changes.
  if (isSame(state, next)) return;
  state = next;
  for (const listener of listeners) listener();
}

function openAfter(next: AccountState): Account | null {
  if (next.status === "signed-in") return { userId: next.userId, email: next.email };
  const isAnother = "userId" in next && next.userId !== state.open?.userId;
  return isLeaving || isAnother ? null : state.open;
}

function readStateOf(current: Session | null): AccountState {
  if (!current) return { status: "signed-out" };
  const user = { userId: current.user.id, email: current.user.email ?? "" };
  // "aal2" means that the second step was passed.
  if (verifiedFactors().length > 0 && claimsOf(current.access_token).aal !== "aal2") {
    return { status: "second-step", ...user };
  }
  return { status: sessionStorage.getItem(NEW_PASSWORD_DUE) ? "new-password" : "signed-in", ...user };
}

type Claims = { aal?: unknown; amr?: { method: string }[] };

function claimsOf(accessToken: string): Claims {
  const payload = accessToken.split(".")[1] ?? "";
  return JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/"))) as Claims;
}

/** True if the account signed in at the identity provider: it has no password. */
export function isFromProvider(): boolean {
  return session !== null && claimsOf(session.access_token).amr?.[0]?.method === "oauth";
}

function isSame(a: SessionState, b: SessionState): boolean {
  const isSameAccount = !("userId" in a) || !("userId" in b) || a.userId === b.userId;
  return a.status === b.status && isSameAccount && a.open?.userId === b.open?.userId;
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

/** Calls back when the account signs out in this tab, or when another signs in after its session ended. */
export function onScreensClose(listener: () => void): void {
  let owner = state.open?.userId;
  subscribe(() => {
    const isClosed = owner !== undefined && owner !== state.open?.userId;
    owner = state.open?.userId;
    if (isClosed) listener();
  });
}

/** True from the end of an open account's session until it signs in again. */
export function hasSessionEnded(): boolean {
  return state.open !== null && state.status !== "signed-in";
}

/** Resolves when the account signs in again. Never settles if another account does. Rejects when aborted. */
export function untilSignedInAgain(signal: AbortSignal | null | undefined): Promise<void> {
  const ended = state.open?.userId;
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const handleAbort = () => {
      stop();
      reject(signal?.reason as Error);
    };
    const unsubscribe = subscribe(() => {
      if (state.open?.userId === ended && state.status !== "signed-in") return;
      stop();
      if (state.open?.userId === ended) resolve();
    });
    const stop = () => {
      unsubscribe();
      signal?.removeEventListener("abort", handleAbort);
    };
    signal?.addEventListener("abort", handleAbort);
  });
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
export async function readSignInOptions(signal: AbortSignal): Promise<SignInOptions> {
  const response = await fetch("/health", { signal });
  if (!response.ok) throw new Error(`/health returned ${response.status}.`);
  // During an upgrade, an older server may respond.
  const options = (await response.json()) as Partial<SignInOptions>;
  return { sendsMail: false, hasPasswords: true, openIdName: null, ...options };
}

/**
 * Leaves for the identity provider, and returns to this page. `isProof` makes the provider ask for the password again, so
 * that the new session counts as recent.
 */
export function signInAtProvider({ isProof = false } = {}): void {
  const query = new URLSearchParams({ redirect_to: location.href, ...(isProof && { prove: "true" }) });
  location.assign(`${OPENID_PATHS.start}?${query}`);
}

/** Also opens the app. */
export async function setNewPassword(password: string): Promise<AuthFailure | null> {
  const failure = await failureOf(auth.updateUser({ password }));
  if (failure) return failure;
  sessionStorage.removeItem(NEW_PASSWORD_DUE);
  update();
  return null;
}

/**
 * Affects all tabs of this browser; works offline. Closes the screens of this tab, not those of an ended session. Also
 * signs out at the identity provider, which would otherwise sign in the next person without a question.
 */
export async function signOut(): Promise<void> {
  isLeaving = state.status === "signed-in";
  const isAtProvider = isFromProvider();
  try {
    const failure = await failureOf(auth.signOut({ scope: "local" }));
    if (isAtProvider && !failure) location.assign(OPENID_PATHS.signOut);
  } finally {
    isLeaving = false;
  }
}
