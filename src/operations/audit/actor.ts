import type { Transaction } from "kysely";
import type { Tables } from "#database/tables.ts";

/** Who is responsible for a change: an account, with its address as it is now, or the terminal. */
export type Actor = { id: string | null; email: string };

/** Whoever runs commands on the machine. No account has this for its address. */
export const TERMINAL: Actor = { id: null, email: "terminal" };

/** Handed to every verb that writes an audit entry. */
export type Acting = { actor: Actor };

/** A verb's context inside a transaction of its caller. */
export type Changing = Acting & { trx: Transaction<Tables> };
