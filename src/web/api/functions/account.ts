/** The operator's own account: password, second steps and sessions. */
import type { AccountSession, SessionsResponse } from "#contract/account.ts";
import { type AuthFailure, explainAuthError, failureOf } from "../connection/auth-failure.ts";
import { CallError } from "./call-error.ts";
import { callFunction } from "./call-function.ts";
import { apiKeyHeader, auth, baseUrls, fetchWithSession } from "../connection/client.ts";

export type Account = { email: string; secondSteps: { id: string; name: string; since: string }[] };

/** Throws CallError. */
export async function readAccount(): Promise<Account> {
  const { data, error } = await auth.getUser();
  if (error) throw new CallError(error.status ?? 0, explainAuthError(error).message);
  const factors = (data.user.factors ?? []).filter((factor) => factor.status === "verified");
  return {
    email: data.user.email ?? "",
    secondSteps: factors.map(({ id, friendly_name: name, created_at: since }) => ({ id, name: name ?? "", since })),
  };
}

/** Returns null, or why the password was not changed. */
export function changePassword(currentPassword: string, password: string): Promise<AuthFailure | null> {
  return failureOf(auth.updateUser({ current_password: currentPassword, password }));
}

/** A second step that still needs its first code. `uri` is the content of its QR code. */
export type NewSecondStep = { id: string; secret: string; uri: string };

/**
 * Starts the setup of an authenticator app; the server returns its secret only here. Fails with the code
 * "reauthentication_needed" when the current password is required.
 */
export async function enrolSecondStep(name: string, currentPassword?: string): Promise<NewSecondStep | AuthFailure> {
  try {
    // The client's own call cannot send the password.
    const response = await fetchWithSession(`${baseUrls.auth}/factors`, {
      method: "POST",
      headers: { ...apiKeyHeader, "content-type": "application/json" },
      body: JSON.stringify({ factor_type: "totp", friendly_name: name, current_password: currentPassword }),
    });
    const body = (await response.json()) as {
      id: string;
      totp: { secret: string; uri: string };
      error_code?: string;
      msg?: string;
    };
    if (response.ok) return { id: body.id, secret: body.totp.secret, uri: body.totp.uri };
    return explainAuthError({ status: response.status, code: body.error_code, message: body.msg ?? "" });
  } catch {
    return explainAuthError({ message: "" });
  }
}

/** Verifies a code of a second step; the first code activates it. Returns null, or the error. */
export function showCode(factorId: string, code: string): Promise<AuthFailure | null> {
  const digits = code.replaceAll(/\s/g, "");
  if (!digits) return Promise.resolve({ code: null, message: "Enter the code." });
  return failureOf(auth.mfa.challengeAndVerify({ factorId, code: digits }));
}

/** Removes a second step after verifying one of its codes. Returns null, or the error. */
export async function removeSecondStep(factorId: string, code: string): Promise<AuthFailure | null> {
  return (await showCode(factorId, code)) ?? (await failureOf(auth.mfa.unenroll({ factorId })));
}

/** Returns the account's sessions, most recently used first. Throws CallError. */
export async function listSessions(signal?: AbortSignal): Promise<AccountSession[]> {
  const { data } = await callFunction<SessionsResponse>("sessions", { method: "GET" }, { signal });
  return data;
}

/** Ends all other sessions. Returns null, or the error. */
export function signOutElsewhere(): Promise<AuthFailure | null> {
  return failureOf(auth.signOut({ scope: "others" }));
}
