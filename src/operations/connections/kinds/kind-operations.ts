import type {
  ConnectionKind,
  ConnectionUser,
  SettingsOf,
  TestConnectionResponse,
} from "#contract/connections/connections.ts";
import type { Context } from "../../context.ts";
import type { OpenedConnection } from "../open-connection.ts";
import type { RowOf } from "../select-connections.ts";

export type KindOperations<Kind extends ConnectionKind> = {
  /** Throws ClipmillError "invalid" for an address that can never be reached. */
  requireAllowed?(context: Pick<Context, "hosts">, settings: SettingsOf[Kind]): void;
  /** `others` are of the same kind. Throws ClipmillError "conflict" for settings that exclude each other. */
  requireDistinct?(others: readonly RowOf<Kind>[], settings: SettingsOf[Kind]): void;
  /** Throws ClipmillError with the reason. */
  test(
    context: Pick<Context, "hosts">,
    connection: OpenedConnection<Kind>,
    signal: AbortSignal,
  ): Promise<Omit<TestConnectionResponse, "isValid"> & { isValid?: boolean }>;
  /** Unfinished jobs by connection id, newest first. */
  findJobs?(db: Context["db"], rows: readonly RowOf<Kind>[]): Promise<Map<string, ConnectionUser[]>>;
};
