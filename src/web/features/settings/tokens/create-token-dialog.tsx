import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState, type SubmitEvent } from "react";
import { TOKEN_SCOPES, type ApiToken, type TokenScope } from "#contract/api-tokens.ts";
import { CallError } from "../../../api/functions/call-error.ts";
import { accountKey, readAccount } from "../../../api/functions/settings/account.ts";
import { createToken, tokensKey } from "../../../api/functions/settings/tokens.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { useCopy } from "../../../ui/buttons/use-copy.ts";
import { Dialog } from "../../../ui/dialogs/dialog.tsx";
import { Checkbox } from "../../../ui/fields/checkbox.tsx";
import { SegmentedField } from "../../../ui/fields/segmented-field.tsx";
import { TextField } from "../../../ui/fields/text-field.tsx";
import { ErrorBox } from "../../../ui/states/error-box.tsx";
import { useExclusiveAction } from "../../../ui/use-exclusive-action.ts";
import { SCOPE_LABELS } from "./scope-labels.ts";

const DAY_MS = 86_400_000;
const LIFETIMES = [
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "1 year" },
  { value: "never", label: "No expiration" },
] as const;
type Lifetime = (typeof LIFETIMES)[number]["value"];

const NEW = { name: "", scopes: ["jobs:read"] as readonly TokenScope[], lifetime: "90" as Lifetime };

export function CreateTokenDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const client = useQueryClient();
  const account = useQuery({ queryKey: accountKey, queryFn: readAccount });
  const [form, setForm] = useState(NEW);
  const [secret, setSecret] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  /** Null until the server requires it. */
  const [password, setPassword] = useState<string | null>(null);
  const { isBusy, run } = useExclusiveAction();

  function handleClose() {
    // Closing before the secret arrives would leave an unusable token.
    if (isBusy) return;
    onClose();
    setForm(NEW);
    setSecret(null);
    setFailure(null);
    setPassword(null);
  }
  async function create() {
    setFailure(null);
    const { name, scopes, lifetime } = form;
    const days = lifetime === "never" ? null : Number(lifetime);
    const expiresAt = days === null ? null : new Date(Date.now() + days * DAY_MS).toISOString();
    try {
      const proof = password === null ? {} : { current_password: password };
      const { data, token } = await createToken({ name, scopes: [...scopes], expires_at: expiresAt, ...proof });
      setSecret(token);
      setPassword(null);
      client.setQueryData<ApiToken[]>(tokensKey, (tokens) => [data, ...(tokens ?? [])]);
    } catch (error) {
      if (error instanceof CallError && error.code === "reauthentication_needed") setPassword("");
      else setFailure(error instanceof CallError ? error.message : "The token could not be created. Try again.");
    }
  }
  function handleSubmit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (secret === null) void run(create);
  }
  function toggle(scope: TokenScope) {
    setForm(({ scopes, ...rest }) => ({
      ...rest,
      scopes: TOKEN_SCOPES.filter((one) => (one === scope) !== scopes.includes(one)),
    }));
  }
  if (secret !== null) return <SecretDialog isOpen={isOpen} secret={secret} onClose={handleClose} />;
  return (
    <Dialog
      isOpen={isOpen}
      title="Create an API token"
      onClose={handleClose}
      onSubmit={handleSubmit}
      footer={
        <>
          <Button look="quiet" onClick={handleClose}>
            Cancel
          </Button>
          <Button type="submit" look="primary" isBusy={isBusy}>
            Create token
          </Button>
        </>
      }
    >
      <TextField
        label="Name"
        placeholder="Nightly export"
        maxLength={100}
        value={form.name}
        onChange={(event) => setForm({ ...form, name: event.target.value })}
      />
      <fieldset className="grid justify-items-start gap-2">
        <legend className="mb-2 font-medium text-ink">Permissions</legend>
        {TOKEN_SCOPES.map((scope) => (
          <Checkbox
            key={scope}
            label={SCOPE_LABELS[scope]}
            checked={form.scopes.includes(scope)}
            onChange={() => toggle(scope)}
          />
        ))}
      </fieldset>
      <SegmentedField
        label="Valid for"
        options={LIFETIMES}
        value={form.lifetime}
        onChange={(lifetime) => setForm({ ...form, lifetime })}
      />
      {password !== null && (
        <>
          {/* For password managers, which would take the token's name. */}
          <input type="hidden" autoComplete="username" value={account.data?.email ?? ""} />
          <TextField
            label="Current password"
            hint="Confirm that it's you to create the token."
            type="password"
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.target.value)}
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the server requires it now
            autoFocus
          />
        </>
      )}
      {failure !== null && <ErrorBox text={failure} />}
    </Dialog>
  );
}

function SecretDialog({ isOpen, secret, onClose }: { isOpen: boolean; secret: string; onClose: () => void }) {
  const { copied, copy } = useCopy();
  return (
    <Dialog
      isOpen={isOpen}
      title="Copy your token"
      text="It is shown only once. Store it like a password."
      onClose={onClose}
      footer={
        <>
          <Button onClick={() => copy(secret)}>{copied ? "Copied!" : "Copy token"}</Button>
          <Button look="primary" onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      <output aria-label="Token" className="raw rounded-2 bg-well px-3 py-2 wrap-anywhere text-ink">
        {secret}
      </output>
    </Dialog>
  );
}
