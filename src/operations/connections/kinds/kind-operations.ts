import type {
  ConnectionKind,
  ConnectionUser,
  SettingsOf,
  TestConnectionResponse,
} from "#contract/connections/connections.ts";
import type { Context } from "../../context.ts";
import type { OpenedConnection } from "../open-connection.ts";
import type { RowOf } from "../select-connections.ts";

/** What the server does for a kind of connection. */
export type KindOperations<Kind extends ConnectionKind> = {
  /** Throws ClipmillError "invalid" for an address that could never be reached. */
  requireAllowed?(context: Pick<Context, "hosts">, settings: SettingsOf[Kind]): void;
  /** Throws ClipmillError "conflict" for settings that exclude each other. `others` are of the same kind. */
  requireDistinct?(others: readonly RowOf<Kind>[], settings: SettingsOf[Kind]): void;
  /** Tries a connection out. Throws ClipmillError with the refusal. */
  test(
    context: Pick<Context, "hosts">,
    connection: OpenedConnection<Kind>,
    signal: AbortSignal,
  ): Promise<Omit<TestConnectionResponse, "isValid"> & { isValid?: boolean }>;
  /** Returns the unfinished jobs that read through connections of this kind, by connection id, newest first. */
  findJobs?(db: Context["db"], rows: readonly RowOf<Kind>[]): Promise<Map<string, ConnectionUser[]>>;
};
