import { useQuery, useQueryClient } from "@tanstack/react-query";
import { BookOpen, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import type { ApiToken } from "#contract/api-tokens.ts";
import { CallError } from "../../../api/functions/call-error.ts";
import { readAssistantAddress } from "../../../api/functions/settings/oauth.ts";
import { listTokens, revokeToken, tokensKey } from "../../../api/functions/settings/tokens.ts";
import { formatShortDate, formatWholeDate } from "../../../jobs/time/short-date.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { IconButton } from "../../../ui/buttons/icon-button.tsx";
import { LinkButton } from "../../../ui/buttons/link-button.tsx";
import { useCopy } from "../../../ui/buttons/use-copy.ts";
import { ConfirmDialog } from "../../../ui/dialogs/confirm-dialog.tsx";
import { tooltip, tooltipWhenCut } from "../../../ui/page/tooltip.ts";
import { ErrorState } from "../../../ui/states/error-state.tsx";
import { useToast } from "../../../ui/toasts/use-toast.ts";
import { useExclusiveAction } from "../../../ui/use-exclusive-action.ts";
import { AccountRow } from "../account/account-row.tsx";
import { SettingsSection } from "../settings-section.tsx";
import { useLastValue } from "../use-last-value.ts";
import { CreateTokenDialog } from "./create-token-dialog.tsx";
import { SCOPE_LABELS } from "../../../tokens/scope-labels.ts";

export function useTokens() {
  return useQuery({ queryKey: tokensKey, queryFn: ({ signal }) => listTokens(signal) });
}

export function TokensSection() {
  const tokens = useTokens();
  const [isCreating, setIsCreating] = useState(false);
  const revocation = useRevocation();
  return (
    <SettingsSection
      hash="api-tokens"
      text="Programs use tokens to call the API as you, with the permissions you select. Workers use them to render without access to the database or the storage."
    >
      {tokens.isLoadingError && (
        <ErrorState
          title="Couldn't load the tokens"
          text={tokens.error.message}
          isRetrying={tokens.isFetching}
          onRetry={() => void tokens.refetch()}
        />
      )}
      {tokens.data?.length === 0 && <AccountRow title="No tokens" text="Create one for scripts and other programs." />}
      {tokens.data && tokens.data.length > 0 && (
        <ul aria-label="API tokens" className="grid">
          {tokens.data.map((token) => (
            <TokenLine key={token.id} token={token} onRevoke={() => revocation.ask(token)} />
          ))}
        </ul>
      )}
      <div className="flex flex-wrap gap-2">
        <Button icon={Plus} onClick={() => setIsCreating(true)}>
          Create token
        </Button>
        <LinkButton to="/api-reference" icon={BookOpen} look="quiet">
          API reference
        </LinkButton>
      </div>
      <AssistantsRow />
      <CreateTokenDialog isOpen={isCreating} onClose={() => setIsCreating(false)} />
      <ConfirmDialog
        isOpen={revocation.asked !== null}
        title={`Revoke ${revocation.shown?.name ?? "this token"}?`}
        text={
          revocation.shown?.worker_labels
            ? "Its workers stop immediately, and their videos go to other workers. This cannot be undone."
            : "Programs that use it lose access immediately. This cannot be undone."
        }
        confirmLabel="Revoke token"
        cancelLabel="Keep token"
        isBusy={revocation.isBusy}
        onConfirm={revocation.confirm}
        onClose={revocation.dismiss}
      />
    </SettingsSection>
  );
}

function AssistantsRow() {
  const { copied, copy } = useCopy();
  const { data } = useQuery({ queryKey: ["assistant-address"], queryFn: ({ signal }) => readAssistantAddress(signal) });
  const address = data ?? `${location.origin}/mcp`;
  return (
    <AccountRow
      title="AI assistants"
      text={
        <>
          Add <span className="raw text-ink">{address}</span> to the assistant.{" "}
          {mayNotSignIn(new URL(address))
            ? "Without https, give it a token, too: assistants sign in only over https."
            : "It opens this app, where you select its permissions."}
        </>
      }
      action={<Button onClick={() => copy(address)}>{copied ? "Copied!" : "Copy address"}</Button>}
    />
  );
}

/** Assistants follow OAuth's rule: no sign-in without https, except on the same computer. */
function mayNotSignIn({ protocol, hostname }: URL): boolean {
  return protocol === "http:" && !["localhost", "127.0.0.1", "[::1]"].includes(hostname);
}

/** `shown` outlasts `asked` during the closing animation. */
function useRevocation() {
  const toast = useToast();
  const client = useQueryClient();
  const [asked, setAsked] = useState<ApiToken | null>(null);
  const { isBusy, run } = useExclusiveAction();

  async function revoke(token: ApiToken) {
    try {
      client.setQueryData(tokensKey, await revokeToken(token.id));
      toast.show({ title: "Token Revoked", description: `${token.name} no longer works.`, variant: "success" });
    } catch (error) {
      const description = error instanceof CallError ? error.message : "Try again.";
      toast.show({ title: "Token Not Revoked", description, variant: "destructive" });
    } finally {
      setAsked(null);
    }
  }
  return {
    asked,
    shown: useLastValue(asked),
    isBusy,
    ask: setAsked,
    dismiss: () => setAsked(null),
    confirm: () => asked && void run(() => revoke(asked)),
  };
}

function TokenLine({ token, onRevoke }: { token: ApiToken; onRevoke: () => void }) {
  const { name, last4, created_at: createdAt } = token;
  return (
    <li className="flex items-center gap-3 border-t border-line py-2 first:border-t-0 first:pt-0">
      <div className="min-w-0 flex-1">
        <div className="flex min-w-0 items-baseline gap-2">
          <span className="truncate text-ink" {...tooltipWhenCut(name)}>
            {name}
          </span>
          <span className="raw tnum shrink-0 text-12 text-ink-3">clm_…{last4}</span>
        </div>
        <div className="text-12 text-ink-3">{describeScopes(token)}</div>
        <div className="tnum text-12 text-ink-3" {...tooltip(`Created ${formatWholeDate(createdAt)}`)}>
          {describeUse(token)}
        </div>
      </div>
      <IconButton icon={Trash2} label={`Revoke ${name}`} onClick={onRevoke} />
    </li>
  );
}

function describeScopes({ scopes, worker_labels: labels }: ApiToken): string {
  return labels ? `Worker · ${labels.join(", ")}` : scopes.map((scope) => SCOPE_LABELS[scope]).join(" · ");
}

function describeUse({ last_used_at: usedAt, expires_at: expiresAt }: ApiToken, now = new Date()): string {
  const used = usedAt === null ? "Never used" : `Used ${formatShortDate(usedAt, now)}`;
  if (expiresAt === null) return `${used} · Does not expire`;
  return `${used} · ${new Date(expiresAt) <= now ? "Expired" : "Expires"} ${formatShortDate(expiresAt, now)}`;
}
