import type { Transaction } from "kysely";
import type { TokenScope } from "#contract/api-tokens.ts";
import type { Tables } from "#database/tables.ts";

/** The account responsible for a change, or the terminal. */
export type Actor = {
  id: string | null;
  email: string;
  /** What the account's API token may do; absent without one. */
  scopes?: readonly TokenScope[];
};

/** For terminal commands. No account has this address. */
export const TERMINAL: Actor = { id: null, email: "terminal" };

/** For decisions by guest links. No account has this address. */
export const GUEST: Actor = { id: null, email: "guest" };

/** For what Clipmill does on its own. No account has this address. */
export const CLIPMILL: Actor = { id: null, email: "clipmill" };

export type ActorContext = { actor: Actor };

export type Changing = ActorContext & { trx: Transaction<Tables> };
