/** Failures of the sign-in calls, as sentences to show. */

export const UNEXPECTED = "An unexpected error occurred.";

export type AuthFailure = { code: string | null; message: string };

/** Awaits a sign-in call. Returns null on success, otherwise the provider's message. */
export async function failureOf(call: PromiseLike<{ error: AuthLikeError | null }>): Promise<AuthFailure | null> {
  try {
    const { error } = await call;
    return error && explainAuthError(error);
  } catch {
    return { code: null, message: UNEXPECTED };
  }
}

type AuthLikeError = { status?: number | undefined; code?: string | undefined; message: string };

/** Keeps only a provider's message. Without a status, or for a 5xx, the text is a browser's or proxy's. */
export function explainAuthError({ status, code, message }: AuthLikeError): AuthFailure {
  const isFromProvider = Boolean(status) && status! < 500;
  return { code: code ?? null, message: isFromProvider ? message || UNEXPECTED : UNEXPECTED };
}
