import type { ConnectionKind, SettingsOf } from "#contract/connections/connections.ts";
import type { SecretValues } from "#contract/connections/kinds/connection-kind.ts";
import { rulesOf } from "#contract/connections/kinds/connection-kinds.ts";
import { ClipmillError } from "#contract/errors.ts";
import type { Context } from "../context.ts";
import { openConnectionSecret } from "./connection-secret.ts";
import type { ConnectionRow } from "./select-connections.ts";

type Changed = { kind: ConnectionKind; settings: SettingsOf[ConnectionKind]; secret: SecretValues };

/**
 * Null if there are neither typed nor saved secrets. Throws ClipmillError "invalid" if one is missing. A changed server
 * never receives saved secrets.
 */
export function mergeSecret(
  context: Pick<Context, "secrets">,
  row: ConnectionRow,
  { kind, settings, secret: typed }: Changed,
): SecretValues | null {
  const rules = rulesOf<ConnectionKind>(kind);
  const hasMoved = rules.placeOf !== undefined && rules.placeOf(row.settings) !== rules.placeOf(settings);
  const saved = hasMoved ? {} : openConnectionSecret(context, row);
  if (saved === null && Object.keys(typed).length === 0) return null;
  const merged = rules.mergeSecret?.(saved ?? {}, typed) ?? { ...saved, ...typed };
  const fault = rules.faultOfSecret(merged, settings);
  if (fault === null) return merged;
  throw new ClipmillError(
    "invalid",
    hasMoved ? `The server changed, so its saved secret is not used. ${fault}` : fault,
  );
}
