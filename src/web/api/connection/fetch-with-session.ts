import { auth, readAccessToken } from "./client.ts";
import { hasSessionEnded, untilSignedInAgain } from "./session.ts";

/**
 * Adds the session token. If the session has ended, sends the request after the account signs in again: the server has
 * not acted on a request that it rejected with 401.
 */
export const fetchWithSession: typeof fetch = async (input, init) => {
  const token = await readAccessToken();
  if (!hasSessionEnded()) {
    const headers = new Headers(init?.headers);
    if (token) headers.set("authorization", `Bearer ${token}`);
    const response = await fetch(input, { ...init, headers });
    // getUser makes the client drop a revoked session.
    if (response.status === 401 && token) await auth.getUser();
    if (response.status !== 401 || !hasSessionEnded()) return response;
  }
  await untilSignedInAgain(init?.signal);
  return fetchWithSession(input, init);
};
