/** The operator's own account. Calls that return AuthFailure return null on success. */
import type { AccountSession, SessionsResponse } from "#contract/account.ts";
import { MAIL_PREFERENCE } from "#contract/webhooks/webhooks.ts";
import { type AuthFailure, explainAuthError, failureOf } from "../../connection/auth-failure.ts";
import { CallError } from "../call-error.ts";
import { callFunction } from "../call-function.ts";
import { apiKeyHeader, auth, baseUrls } from "../../connection/client.ts";
import { fetchWithSession } from "../../connection/fetch-with-session.ts";

export const accountKey = ["account"] as const;
export const sessionsKey = ["sessions"] as const;

export type Account = {
  email: string;
  secondSteps: { id: string; name: string; since: string }[];
  /** Email when a job of this account ends or needs approval. */
  wantsMail: boolean;
};

/** Throws CallError. */
export async function readAccount(): Promise<Account> {
  const { data, error } = await auth.getUser();
  if (error) throw new CallError(error.status ?? 0, explainAuthError(error).message);
  const factors = (data.user.factors ?? []).filter((factor) => factor.status === "verified");
  return {
    email: data.user.email ?? "",
    wantsMail: data.user.user_metadata[MAIL_PREFERENCE] === true,
    secondSteps: factors.map(({ id, friendly_name: name, created_at: since }) => ({ id, name: name ?? "", since })),
  };
}

export function setWantsMail(wantsMail: boolean): Promise<AuthFailure | null> {
  return failureOf(auth.updateUser({ data: { [MAIL_PREFERENCE]: wantsMail } }));
}

/**
 * Also ends the account's other sessions. Failure codes include "invalid_credentials" (wrong current password),
 * "same_password" and "weak_password".
 */
export function changePassword(currentPassword: string, password: string): Promise<AuthFailure | null> {
  return failureOf(auth.updateUser({ current_password: currentPassword, password }));
}

/** Inactive until its first code. `uri` is the QR code's content. */
export type NewSecondStep = { id: string; secret: string; uri: string };

/** The secret is returned only here. Fails with "reauthentication_needed" if the current password is required. */
export async function enrollSecondStep(name: string, currentPassword?: string): Promise<NewSecondStep | AuthFailure> {
  try {
    // The client's own method cannot send the password.
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

/** A new app's first code activates the second step. */
export function verifyCode(factorId: string, code: string): Promise<AuthFailure | null> {
  const digits = code.replaceAll(/\s/g, "");
  if (!digits) return Promise.resolve({ code: null, message: "Enter the code." });
  return failureOf(auth.mfa.challengeAndVerify({ factorId, code: digits }));
}

export async function removeSecondStep(factorId: string, code: string): Promise<AuthFailure | null> {
  return (await verifyCode(factorId, code)) ?? (await failureOf(auth.mfa.unenroll({ factorId })));
}

/** Lists the most recently used first. Throws CallError. */
export async function listSessions(signal?: AbortSignal): Promise<AccountSession[]> {
  const { data } = await callFunction<SessionsResponse>("sessions", { method: "GET" }, { signal });
  return data;
}

/** This browser stays signed in. */
export function signOutElsewhere(): Promise<AuthFailure | null> {
  return failureOf(auth.signOut({ scope: "others" }));
}
