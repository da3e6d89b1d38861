import { Ellipsis, History, KeyRound, Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import type { Webhook } from "#contract/webhooks/webhooks.ts";
import { CallError } from "../../../api/functions/call-error.ts";
import { changeWebhook, deleteWebhook, rotateSecret, testWebhook } from "../../../api/functions/settings/webhooks.ts";
import { MetaLine } from "../../../jobs/row/job-row.tsx";
import { pluralize } from "../../../jobs/row/pluralize.ts";
import { formatShortDate } from "../../../jobs/time/short-date.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { ConfirmDialog } from "../../../ui/dialogs/confirm-dialog.tsx";
import { Switch } from "../../../ui/fields/switch.tsx";
import { Menu } from "../../../ui/menus/menu.tsx";
import { tooltip } from "../../../ui/page/tooltip.ts";
import { WarningNote } from "../../../ui/states/warning-note.tsx";
import { useToast } from "../../../ui/toasts/use-toast.ts";
import { useExclusiveAction } from "../../../ui/use-exclusive-action.ts";
import { runTest, TestResult } from "../../../editors/draft-test.tsx";
import { describeAttempt, describeLast, explainTrouble, labelOf } from "./describe-webhook.ts";
import { useWebhookList } from "./use-webhooks.ts";

type RowProps = { webhook: Webhook; onEdit: () => void; onLog: () => void; onSecret: (secret: string) => void };

export function WebhookRow({ webhook, onEdit, onLog, onSecret }: RowProps) {
  const { id, url, enabled } = webhook;
  const host = new URL(url).host;
  const { isBusy, run } = useExclusiveAction();
  const list = useWebhookList();
  const toast = useToast();
  const [result, setResult] = useState<{ isValid: boolean; message: string } | null>(null);
  const [asked, setAsked] = useState<"delete" | "rotate" | null>(null);
  const trouble = explainTrouble(webhook);

  async function test() {
    setResult(null);
    setResult(
      await runTest(async () => {
        const { attempts } = await testWebhook(id);
        const last = attempts.at(-1);
        if (!last) return { isValid: false, message: "The test is still being sent. Its result will be in the log." };
        return { isValid: last.error === null, message: `${describeAttempt(last)}.` };
      }),
    );
    await list.refetch();
  }
  async function attempt(change: () => Promise<void>) {
    try {
      await change();
    } catch (error) {
      const description = error instanceof CallError ? error.message : "Try again.";
      toast.show({ title: "Webhook Not Changed", description, variant: "destructive" });
      await list.refetch();
    } finally {
      setAsked(null);
    }
  }
  const turn = (isOn: boolean) => attempt(async () => list.put(await changeWebhook(id, { enabled: isOn })));
  const remove = () =>
    attempt(async () => {
      await deleteWebhook(id);
      list.drop(id);
    });
  const rotate = () =>
    attempt(async () => {
      const { data, secret } = await rotateSecret(id);
      list.put(data);
      onSecret(secret);
    });
  return (
    <li className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-2 border-t border-line py-3 first:border-t-0 first:pt-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <div className="min-w-0 flex-1 basis-52">
          <h3 className="raw font-medium wrap-anywhere text-ink">{url}</h3>
          <MetaLine parts={factsOf(webhook)} />
        </div>
        <div className="flex items-center gap-1 *:first:mr-1.5">
          <Switch
            label={`Send events to ${host}`}
            isLabelHidden
            checked={enabled}
            onChange={(event) => {
              const isOn = event.target.checked;
              void run(() => turn(isOn));
            }}
          />
          <Button size="sm" isBusy={isBusy} aria-label={`Test ${host}`} onClick={() => void run(test)}>
            Test
          </Button>
          <Menu
            label={`Actions for ${host}`}
            icon={Ellipsis}
            items={[
              { label: "Log", icon: History, onSelect: onLog },
              { label: "Edit", icon: Pencil, onSelect: onEdit },
              { label: "Rotate secret", icon: KeyRound, onSelect: () => setAsked("rotate") },
              { label: "Delete", icon: Trash2, onSelect: () => setAsked("delete") },
            ]}
          />
        </div>
      </div>
      {trouble !== null && <WarningNote text={trouble} />}
      <TestResult result={result} />
      <ConfirmDialog
        isOpen={asked === "rotate"}
        title={`Rotate the secret of ${host}?`}
        text="You get a new secret. The current one stays valid for 24 hours, so that you can change the receiver."
        confirmLabel="Rotate secret"
        cancelLabel="Keep secret"
        isBusy={isBusy}
        onConfirm={() => void run(rotate)}
        onClose={() => setAsked(null)}
      />
      <ConfirmDialog
        isOpen={asked === "delete"}
        title={`Delete ${host}?`}
        text="Its log and all waiting deliveries are deleted. This cannot be undone."
        confirmLabel="Delete webhook"
        cancelLabel="Keep webhook"
        isBusy={isBusy}
        onConfirm={() => void run(remove)}
        onClose={() => setAsked(null)}
      />
    </li>
  );
}

function factsOf(webhook: Webhook) {
  const { events, enabled, pending, previous_secret_until: until } = webhook;
  return [
    enabled ? "On" : "Off",
    <span key="events" {...tooltip(events.map(labelOf).join(", "))}>
      {pluralize(events.length, "event")}
    </span>,
    describeLast(webhook),
    pending > 0 && `${pending} waiting`,
    until !== null && `Previous secret valid until ${formatShortDate(until)}`,
  ].filter((fact) => fact !== false);
}
