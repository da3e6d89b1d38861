import { useState, type SubmitEvent } from "react";
import { EVENT_TYPES, type EventType, problemOfWebhookUrl, type Webhook } from "#contract/webhooks/webhooks.ts";
import { CallError } from "../../../api/functions/call-error.ts";
import { addWebhook, changeWebhook } from "../../../api/functions/settings/webhooks.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { Dialog } from "../../../ui/dialogs/dialog.tsx";
import { Checkbox } from "../../../ui/fields/checkbox.tsx";
import { TextField } from "../../../ui/fields/text-field.tsx";
import { ErrorBox } from "../../../ui/states/error-box.tsx";
import { useExclusiveAction } from "../../../ui/use-exclusive-action.ts";
import { useLastValue } from "../use-last-value.ts";
import { EVENT_LABELS } from "./describe-webhook.ts";
import { useWebhookList } from "./use-webhooks.ts";

const NEW_EVENTS: readonly EventType[] = ["job.proof_ready", "job.completed", "job.failed"];

type DialogProps = { opened: Webhook | "new" | null; onSecret: (secret: string) => void; onClose: () => void };

export function WebhookDialog({ opened, ...rest }: DialogProps) {
  const [opening, setOpening] = useState({ isOpen: false, number: 0 });
  if ((opened !== null) !== opening.isOpen) {
    setOpening({ isOpen: opened !== null, number: opening.number + (opened === null ? 0 : 1) });
  }
  const shown = useLastValue(opened);
  if (shown === null) return null;
  const webhook = shown === "new" ? null : shown;
  return <OpenedDialog key={opening.number} webhook={webhook} isOpen={opened !== null} {...rest} />;
}

function OpenedDialog({
  webhook,
  isOpen,
  onSecret,
  onClose,
}: Omit<DialogProps, "opened"> & { webhook: Webhook | null; isOpen: boolean }) {
  const [url, setUrl] = useState(webhook?.url ?? "");
  const [events, setEvents] = useState<readonly EventType[]>(webhook?.events ?? NEW_EVENTS);
  const [problem, setProblem] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const { isBusy, run } = useExclusiveAction();
  const list = useWebhookList();

  async function save() {
    setFailure(null);
    try {
      const draft = { url: url.trim(), events };
      if (webhook) list.put(await changeWebhook(webhook.id, draft));
      else {
        const { data, secret } = await addWebhook(draft);
        list.add(data);
        onSecret(secret);
      }
      onClose();
    } catch (error) {
      setFailure(error instanceof CallError ? error.message : "The webhook could not be saved. Try again.");
    }
  }
  function handleSubmit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const urlProblem = problemOfWebhookUrl(url.trim());
    setProblem(urlProblem);
    if (urlProblem !== null) return;
    if (events.length === 0) setFailure("Select at least one event.");
    else void run(save);
  }
  return (
    <Dialog
      isOpen={isOpen}
      title={webhook ? "Edit webhook" : "Add a webhook"}
      // A new webhook's secret would be lost.
      onClose={() => !isBusy && onClose()}
      onSubmit={handleSubmit}
      footer={
        <>
          <Button look="quiet" onClick={() => !isBusy && onClose()}>
            Cancel
          </Button>
          <Button type="submit" look="primary" isBusy={isBusy}>
            {webhook ? "Save changes" : "Add webhook"}
          </Button>
        </>
      }
    >
      <TextField
        label="Address"
        className="raw"
        inputMode="url"
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        placeholder="https://"
        value={url}
        error={problem ?? undefined}
        onChange={(event) => {
          setUrl(event.target.value);
          setProblem(null);
        }}
      />
      <fieldset className="grid justify-items-start gap-2">
        <legend className="mb-2 font-medium text-ink">Events</legend>
        {EVENT_TYPES.map((type) => (
          <Checkbox
            key={type}
            label={EVENT_LABELS[type]}
            checked={events.includes(type)}
            onChange={() => setEvents(EVENT_TYPES.filter((one) => (one === type) !== events.includes(one)))}
          />
        ))}
      </fieldset>
      {failure !== null && (
        <div role="alert">
          <ErrorBox text={failure} />
        </div>
      )}
    </Dialog>
  );
}
