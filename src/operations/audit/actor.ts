import type { Transaction } from "kysely";
import type { TokenScope } from "#contract/api-tokens.ts";
import type { Tables } from "#database/tables.ts";

export type Actor = {
  id: string | null;
  email: string;
  /** The API token's permissions; absent without a token. */
  scopes?: readonly TokenScope[];
};

/** No account has the addresses of these three actors. */
export const TERMINAL: Actor = { id: null, email: "terminal" };

export const GUEST: Actor = { id: null, email: "guest" };

export const CLIPMILL: Actor = { id: null, email: "clipmill" };

export type ActorContext = { actor: Actor };

export type Changing = ActorContext & { trx: Transaction<Tables> };
