import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState, type SubmitEvent } from "react";
import type { ApiToken, TokenScope } from "#contract/api-tokens.ts";
import { CallError } from "../../../api/functions/call-error.ts";
import { accountKey, readAccount } from "../../../api/functions/settings/account.ts";
import { createToken, tokensKey } from "../../../api/functions/settings/tokens.ts";
import {
  DEFAULT_LIFETIME,
  expiryOf,
  IdentityField,
  TokenFields,
  useIdentityProof,
} from "../../../tokens/token-fields.tsx";
import { Button } from "../../../ui/buttons/button.tsx";
import { useCopy } from "../../../ui/buttons/use-copy.ts";
import { Dialog } from "../../../ui/dialogs/dialog.tsx";
import { TextField } from "../../../ui/fields/text-field.tsx";
import { ErrorBox } from "../../../ui/states/error-box.tsx";
import { useExclusiveAction } from "../../../ui/use-exclusive-action.ts";

const NEW = { name: "", scopes: ["jobs:read"] as readonly TokenScope[], lifetime: DEFAULT_LIFETIME };

export function CreateTokenDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const client = useQueryClient();
  const account = useQuery({ queryKey: accountKey, queryFn: readAccount });
  const [form, setForm] = useState(NEW);
  const [secret, setSecret] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const proof = useIdentityProof();
  const { isBusy, run } = useExclusiveAction();

  function handleClose() {
    // Closing before the secret arrives would leave an unusable token.
    if (isBusy) return;
    onClose();
    setForm(NEW);
    setSecret(null);
    setFailure(null);
    proof.change(null);
  }
  async function create() {
    setFailure(null);
    const { name, scopes } = form;
    try {
      const request = { name, scopes: [...scopes], expires_at: expiryOf(form), ...proof.fields };
      const { data, token } = await createToken(request);
      setSecret(token);
      proof.change(null);
      client.setQueryData<ApiToken[]>(tokensKey, (tokens) => [data, ...(tokens ?? [])]);
    } catch (error) {
      if (error instanceof CallError && error.code === "reauthentication_needed") proof.require();
      else setFailure(error instanceof CallError ? error.message : "The token could not be created. Try again.");
    }
  }
  function handleSubmit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (secret === null) void run(create);
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
      <TokenFields choice={form} onChange={setForm} />
      <IdentityField
        proof={proof}
        email={account.data?.email ?? ""}
        hint="Confirm that it's you to create the token."
      />
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
