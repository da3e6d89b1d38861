/** Sentences for failed sign-in calls. */

export const UNEXPECTED = "An unexpected error occurred.";

export type AuthFailure = { code: string | null; message: string };

/** Returns null on success. Never throws. */
export async function failureOf(call: PromiseLike<{ error: AuthLikeError | null }>): Promise<AuthFailure | null> {
  try {
    const { error } = await call;
    return error && explainAuthError(error);
  } catch {
    return { code: null, message: UNEXPECTED };
  }
}

type AuthLikeError = { status?: number | undefined; code?: string | undefined; message: string };

/** Replaces messages of the browser or a proxy: those without a status or with a 5xx. */
export function explainAuthError({ status, code, message }: AuthLikeError): AuthFailure {
  const isFromProvider = Boolean(status) && status! < 500;
  return { code: code ?? null, message: isFromProvider ? message || UNEXPECTED : UNEXPECTED };
}
