import type { Transaction } from "kysely";
import type { Tables } from "#database/tables.ts";

/** The account responsible for a change, with its current address, or the terminal. */
export type Actor = { id: string | null; email: string };

/** The actor of terminal commands. No account has this address. */
export const TERMINAL: Actor = { id: null, email: "terminal" };

/** Part of the context of every verb that writes an audit entry. */
export type Acting = { actor: Actor };

/** A verb's context inside its caller's transaction. */
export type Changing = Acting & { trx: Transaction<Tables> };
