import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState, type SubmitEvent } from "react";
import type { ApiScope, ApiToken } from "#contract/api-tokens.ts";
import { CallError } from "../../../api/functions/call-error.ts";
import { accountKey, readAccount } from "../../../api/functions/settings/account.ts";
import { createToken, tokensKey } from "../../../api/functions/settings/tokens.ts";
import {
  DEFAULT_LIFETIME,
  expiryOf,
  IdentityField,
  LifetimeField,
  TokenFields,
  useIdentityProof,
} from "../../../tokens/token-fields.tsx";
import { Button } from "../../../ui/buttons/button.tsx";
import { useCopy } from "../../../ui/buttons/use-copy.ts";
import { Dialog } from "../../../ui/dialogs/dialog.tsx";
import { SegmentedField } from "../../../ui/fields/segmented-field.tsx";
import { TextField } from "../../../ui/fields/text-field.tsx";
import { ErrorBox } from "../../../ui/states/error-box.tsx";
import { useExclusiveAction } from "../../../ui/use-exclusive-action.ts";

const NEW = {
  name: "",
  use: "program" as Use,
  scopes: ["jobs:read"] as readonly ApiScope[],
  labels: "",
  lifetime: DEFAULT_LIFETIME,
};

const USES = [
  { value: "program", label: "Program" },
  { value: "worker", label: "Worker" },
] as const;
type Use = (typeof USES)[number]["value"];

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
    const { name, use, scopes, labels } = form;
    const rights =
      use === "worker" ? { scopes: ["worker" as const], worker_labels: labels.split(",") } : { scopes: [...scopes] };
    try {
      const request = { name, ...rights, expires_at: expiryOf(form), ...proof.fields };
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
  if (secret !== null) {
    const isWorker = form.use === "worker";
    return <SecretDialog isOpen={isOpen} secret={secret} isWorker={isWorker} onClose={handleClose} />;
  }
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
      <SegmentedField label="For" options={USES} value={form.use} onChange={(use) => setForm({ ...form, use })} />
      {form.use === "worker" ? (
        <>
          <TextField
            label="Labels"
            placeholder="gpu, eu"
            hint="The worker gets only jobs that require at least one of these labels and no others. It has no access to the database or the storage."
            value={form.labels}
            onChange={(event) => setForm({ ...form, labels: event.target.value })}
          />
          <LifetimeField choice={form} onChange={setForm} />
        </>
      ) : (
        <TokenFields choice={form} onChange={setForm} />
      )}
      <IdentityField
        proof={proof}
        email={account.data?.email ?? ""}
        hint="Confirm that it's you to create the token."
      />
      {failure !== null && <ErrorBox text={failure} />}
    </Dialog>
  );
}

type SecretDialogProps = { isOpen: boolean; secret: string; isWorker: boolean; onClose: () => void };

function SecretDialog({ isOpen, secret, isWorker, onClose }: SecretDialogProps) {
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
      {isWorker && (
        <p>
          Start the worker on its machine with{" "}
          <span className="raw wrap-anywhere text-ink">clipmill worker --server {location.origin}</span>, with the token
          as CLIPMILL_TOKEN.
        </p>
      )}
    </Dialog>
  );
}
