import { useState } from "react";
import { type ApiScope, TOKEN_SCOPES } from "#contract/api-tokens.ts";
import { isFromProvider, signInAtProvider } from "../api/connection/session.ts";
import { Button } from "../ui/buttons/button.tsx";
import { Checkbox } from "../ui/fields/checkbox.tsx";
import { SegmentedField } from "../ui/fields/segmented-field.tsx";
import { TextField } from "../ui/fields/text-field.tsx";
import { SCOPE_LABELS } from "./scope-labels.ts";

const DAY_MS = 86_400_000;
const LIFETIMES = [
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "1 year" },
  { value: "never", label: "No expiration" },
] as const;
type Lifetime = (typeof LIFETIMES)[number]["value"];

export type TokenChoice = { scopes: readonly ApiScope[]; lifetime: Lifetime };

export const DEFAULT_LIFETIME: Lifetime = "90";

/** Returns null for a token that does not expire. */
export function expiryOf({ lifetime }: TokenChoice): string | null {
  return lifetime === "never" ? null : new Date(Date.now() + Number(lifetime) * DAY_MS).toISOString();
}

/** `scopes` are the permissions to choose from, by default all. */
export function TokenFields<Choice extends TokenChoice>({
  choice,
  scopes = TOKEN_SCOPES,
  onChange,
}: {
  choice: Choice;
  scopes?: readonly ApiScope[];
  onChange: (choice: Choice) => void;
}) {
  function toggle(scope: ApiScope) {
    const chosen = TOKEN_SCOPES.filter((one) => (one === scope) !== choice.scopes.includes(one));
    onChange({ ...choice, scopes: chosen });
  }
  return (
    <>
      <fieldset className="grid justify-items-start gap-2">
        <legend className="mb-2 font-medium text-ink">Permissions</legend>
        {scopes.map((scope) => (
          <Checkbox
            key={scope}
            label={SCOPE_LABELS[scope]}
            checked={choice.scopes.includes(scope)}
            onChange={() => toggle(scope)}
          />
        ))}
      </fieldset>
      <LifetimeField choice={choice} onChange={onChange} />
    </>
  );
}

export function LifetimeField<Choice extends TokenChoice>({
  choice,
  onChange,
}: {
  choice: Choice;
  onChange: (choice: Choice) => void;
}) {
  return (
    <SegmentedField
      label="Valid for"
      options={LIFETIMES}
      value={choice.lifetime}
      onChange={(lifetime) => onChange({ ...choice, lifetime })}
    />
  );
}

export type IdentityProof = {
  /** Null until the server requires it. */
  password: string | null;
  require: () => void;
  change: (password: string | null) => void;
  /** For the request. */
  fields: { current_password?: string };
};

export function useIdentityProof(): IdentityProof {
  const [password, setPassword] = useState<string | null>(null);
  return {
    password,
    require: () => setPassword(""),
    change: setPassword,
    fields: password === null ? {} : { current_password: password },
  };
}

/** Asks for the password, or leads to the identity provider, which asks for it. */
export function IdentityField({ proof, email, hint }: { proof: IdentityProof; email: string; hint: string }) {
  if (proof.password === null) return null;
  if (isFromProvider()) {
    return (
      <div className="grid justify-items-start gap-2">
        <p>{hint}</p>
        <Button onClick={() => signInAtProvider({ isProof: true })}>Sign in again</Button>
      </div>
    );
  }
  return (
    <>
      {/* For password managers, which would take another field's text. */}
      <input type="hidden" autoComplete="username" value={email} />
      <TextField
        label="Current password"
        hint={hint}
        type="password"
        autoComplete="current-password"
        value={proof.password}
        onChange={(event) => proof.change(event.target.value)}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the server requires it now
        autoFocus
      />
    </>
  );
}
