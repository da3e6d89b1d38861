import type { TokenScope } from "#contract/api-tokens.ts";
import { ClipmillError } from "#contract/errors.ts";
import type { Actor } from "../audit/actor.ts";

/** Throws ClipmillError "forbidden" for an API token without the scope. */
export function requireScope({ scopes }: Pick<Actor, "scopes">, need: TokenScope): void {
  if (!scopes || scopes.includes(need)) return;
  throw new ClipmillError("forbidden", `This API token needs the scope ${need}.`, { facts: { need } });
}
