import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { AccountSession } from "#contract/account.ts";
import { listSessions, signOutElsewhere, sessionsKey } from "../../../api/functions/settings/account.ts";
import { formatShortDate } from "../../../jobs/time/short-date.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { ConfirmDialog } from "../../../ui/dialogs/confirm-dialog.tsx";
import { useToast } from "../../../ui/toasts/use-toast.ts";
import { AccountRow } from "./account-row.tsx";
import { describeBrowser } from "./describe-browser.ts";
import { useExclusiveAction } from "../../../ui/use-exclusive-action.ts";

export function SessionsRow() {
  const sessions = useQuery({ queryKey: sessionsKey, queryFn: ({ signal }) => listSessions(signal) });
  const [isAsking, setIsAsking] = useState(false);
  const { isBusy, run } = useExclusiveAction();
  const toast = useToast();
  const client = useQueryClient();
  const others = sessions.data?.filter((session) => !session.isThisOne).length ?? 0;

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
          {sessions.data.map((session) => (
            <SessionLine key={session.id} session={session} />
          ))}
        </ul>
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
