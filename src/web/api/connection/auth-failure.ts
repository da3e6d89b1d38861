/** What the sign-in calls answer when something did not work, in a sentence to show. */

export const UNEXPECTED = "An unexpected error occurred.";

export type AuthFailure = { code: string | null; message: string };

/** Awaits a call of the sign-in client. Returns null when it worked, else the provider's own message. */
export async function failureOf(call: PromiseLike<{ error: AuthLikeError | null }>): Promise<AuthFailure | null> {
  try {
    const { error } = await call;
    return error && explainAuthError(error);
  } catch {
    return { code: null, message: UNEXPECTED };
  }
}

type AuthLikeError = { status?: number | undefined; code?: string | undefined; message: string };

/** Without a status, or with a server's own fault, the text is the browser's or a machine's, not the provider's. */
export function explainAuthError({ status, code, message }: AuthLikeError): AuthFailure {
  const isProviders = Boolean(status) && status! < 500;
  return { code: code ?? null, message: isProviders ? message || UNEXPECTED : UNEXPECTED };
}
