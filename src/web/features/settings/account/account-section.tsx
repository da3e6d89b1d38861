import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { AccountSession } from "#contract/account.ts";
import { isFromProvider, readSignInOptions } from "../../../api/connection/session.ts";
import {
  type Account,
  accountKey,
  listSessions,
  readAccount,
  sessionsKey,
  setWantsMail,
  signOutElsewhere,
} from "../../../api/functions/settings/account.ts";
import { formatShortDate } from "../../../jobs/time/short-date.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { ConfirmDialog } from "../../../ui/dialogs/confirm-dialog.tsx";
import { Switch } from "../../../ui/fields/switch.tsx";
import { ErrorState } from "../../../ui/states/error-state.tsx";
import { useToast } from "../../../ui/toasts/use-toast.ts";
import { useExclusiveAction } from "../../../ui/use-exclusive-action.ts";
import { SecondStepRow } from "../second-step/second-step-row.tsx";
import { SettingsSection } from "../settings-section.tsx";
import { AccountRow } from "./account-row.tsx";
import { describeBrowser } from "./describe-browser.ts";
import { PasswordRow } from "./password-row.tsx";

export function useAccount() {
  return useQuery({ queryKey: accountKey, queryFn: readAccount });
}

export function useSignInOptions() {
  return useQuery({ queryKey: ["sign-in-options"], queryFn: ({ signal }) => readSignInOptions(signal) });
}

export function useSessions() {
  return useQuery({ queryKey: sessionsKey, queryFn: ({ signal }) => listSessions(signal) });
}

export function AccountSection() {
  const account = useAccount();
  return (
    <SettingsSection
      hash="account"
      text={`Your ${isFromProvider() ? "sign-in" : "password"}, second step and sessions.`}
    >
      {account.isLoadingError && (
        <ErrorState
          title="Couldn't load your account"
          text={account.error.message}
          isRetrying={account.isFetching}
          onRetry={() => void account.refetch()}
        />
      )}
      {account.data && (
        <>
          <AccountRow title="Email" text={account.data.email} />
          {isFromProvider() ? <ProviderRow /> : <PasswordRow email={account.data.email} />}
          <SecondStepRow email={account.data.email} secondSteps={account.data.secondSteps} />
          <MailRow account={account.data} />
          <SessionsRow />
        </>
      )}
    </SettingsSection>
  );
}

function ProviderRow() {
  const options = useSignInOptions();
  return (
    <AccountRow
      title="Sign-in"
      text={`You sign in with ${options.data?.openIdName ?? "your identity provider"}. Clipmill stores no password.`}
    />
  );
}

/** Renders nothing unless the server can send email. */
function MailRow({ account }: { account: Account }) {
  const options = useSignInOptions();
  const client = useQueryClient();
  const toast = useToast();
  const { run } = useExclusiveAction();
  if (!options.data?.sendsMail) return null;

  async function save(wantsMail: boolean) {
    const failure = await setWantsMail(wantsMail);
    if (failure) toast.show({ title: "Error", description: failure.message, variant: "destructive" });
    else client.setQueryData<Account>(accountKey, (known) => known && { ...known, wantsMail });
  }
  return (
    <AccountRow
      title="Mail"
      text="One email for each of your jobs that completes, fails or needs approval."
      action={
        <Switch
          label="Email me when my job ends"
          checked={account.wantsMail}
          onChange={(event) => {
            const wantsMail = event.target.checked;
            void run(() => save(wantsMail));
          }}
        />
      }
    />
  );
}

const SHOWN_SESSIONS = 5;

/** This browser first, then the newest. */
function SessionsRow() {
  const sessions = useSessions();
  const [isAsking, setIsAsking] = useState(false);
  const { isBusy, run } = useExclusiveAction();
  const toast = useToast();
  const client = useQueryClient();
  const [isWhole, setIsWhole] = useState(false);
  const others = sessions.data?.filter((session) => !session.isThisOne).length ?? 0;
  const sorted = (sessions.data ?? []).toSorted((a, b) => Number(b.isThisOne) - Number(a.isThisOne));
  const shown = isWhole ? sorted : sorted.slice(0, SHOWN_SESSIONS);

  async function signOutOthers() {
    const failure = await signOutElsewhere();
    if (failure) {
      toast.show({ title: "Error", description: failure.message, variant: "destructive" });
      return;
    }
    toast.show({
      title: "Signed Out Elsewhere",
      description: "Only this browser is signed in now.",
      variant: "success",
    });
    await client.invalidateQueries({ queryKey: sessionsKey });
  }
  return (
    <AccountRow
      title="Sessions"
      text={describeSessions(sessions.data, sessions.isLoadingError)}
      action={
        others > 0 && (
          <Button isBusy={isBusy} onClick={() => setIsAsking(true)}>
            Sign out everywhere else
          </Button>
        )
      }
    >
      {sessions.data && (
        <ul aria-label="Sessions" className="grid gap-2">
          {shown.map((session) => (
            <SessionLine key={session.id} session={session} />
          ))}
        </ul>
      )}
      {sorted.length > shown.length && (
        <div className="-ml-2">
          <Button look="quiet" size="sm" onClick={() => setIsWhole(true)}>
            Show all {sorted.length} sessions
          </Button>
        </div>
      )}
      <ConfirmDialog
        isOpen={isAsking}
        title="Sign out everywhere else?"
        text="All other browsers and programs will be signed out. This browser stays signed in."
        confirmLabel="Sign out"
        cancelLabel="Stay signed in"
        onConfirm={() => {
          setIsAsking(false);
          void run(signOutOthers);
        }}
        onClose={() => setIsAsking(false)}
      />
    </AccountRow>
  );
}

function SessionLine({ session }: { session: AccountSession }) {
  return (
    <li className="flex items-baseline gap-3">
      <div className="min-w-0 flex-1">
        <div className="truncate text-ink">{describeBrowser(session.userAgent)}</div>
        <div className="tnum text-12 text-ink-3">
          Signed in {formatShortDate(session.createdAt)} · Used {formatShortDate(session.lastUsedAt)}
        </div>
      </div>
      {session.isThisOne && <span className="text-12 text-ink-3">This browser</span>}
    </li>
  );
}

function describeSessions(sessions: AccountSession[] | undefined, isFailed: boolean): string {
  if (isFailed) return "Couldn't load your sessions.";
  if (!sessions) return "Loading…";
  return sessions.length === 1 ? "Signed in on this browser only." : `${sessions.length} active sessions.`;
}
