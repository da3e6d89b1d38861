import { jwtVerify, SignJWT } from "jose";
import { z } from "zod";
import { deriveKey } from "#operations/derive-key.ts";

/** Time to sign in at the OpenID provider. */
export const START_SECONDS = 10 * 60;
const ALGORITHM = "HS256";

const startSchema = z.object({
  state: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  redirectUri: z.string(),
  /** The page to return to, which `redirectOfLink` has checked. */
  returnTo: z.string(),
  /** Hash of the refresh token that the browser had. */
  tokenHash: z.string().nullable(),
});
export type Start = z.output<typeof startSchema>;

export type StartSigner = {
  sign(start: Start): Promise<string>;
  /** Returns null for a cookie that is missing, forged or too old. */
  read(cookie: string | undefined): Promise<Start | null>;
};

export function createStartSigner(appSecret: string): StartSigner {
  const key = deriveKey(appSecret, "openid sign-ins");
  return {
    sign: (start) =>
      new SignJWT(start).setProtectedHeader({ alg: ALGORITHM }).setExpirationTime(`${START_SECONDS}s`).sign(key),
    async read(cookie) {
      if (cookie === undefined) return null;
      const verified = await jwtVerify(cookie, key, { algorithms: [ALGORITHM] }).catch(() => null);
      return startSchema.safeParse(verified?.payload).data ?? null;
    },
  };
}
