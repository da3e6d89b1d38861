import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import type { Webhook } from "#contract/webhooks/webhooks.ts";
import { deliveriesKey, listSendings } from "../../../api/functions/settings/webhooks.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { useCopy } from "../../../ui/buttons/use-copy.ts";
import { Dialog } from "../../../ui/dialogs/dialog.tsx";
import { Sheet } from "../../../ui/dialogs/sheet.tsx";
import { EmptyState } from "../../../ui/states/empty-state.tsx";
import { ErrorState } from "../../../ui/states/error-state.tsx";
import { Skeleton } from "../../../ui/states/skeleton.tsx";
import { AccountRow } from "../account/account-row.tsx";
import { SettingsSection } from "../settings-section.tsx";
import { useLastValue } from "../use-last-value.ts";
import { DeliveryLine } from "./delivery-line.tsx";
import { useWebhooks } from "./use-webhooks.ts";
import { WebhookDialog } from "./webhook-dialog.tsx";
import { WebhookRow } from "./webhook-row.tsx";

export function WebhooksSection() {
  const webhooks = useWebhooks();
  const [edited, setEdited] = useState<Webhook | "new" | null>(null);
  const [logged, setLogged] = useState<Webhook | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const { data } = webhooks;
  return (
    <SettingsSection
      hash="webhooks"
      text="Clipmill sends events to these addresses. Every request is signed. Failed requests are retried for up to 75 hours."
    >
      {webhooks.isLoadingError && (
        <ErrorState
          title="Couldn't load the webhooks"
          text={webhooks.error.message}
          isRetrying={webhooks.isFetching}
          onRetry={() => void webhooks.refetch()}
        />
      )}
      {data?.length === 0 && (
        <AccountRow title="No webhooks" text="Add one to notify another system when a job ends." />
      )}
      {data && data.length > 0 && (
        <ul aria-label="Webhooks" className="grid min-w-0">
          {data.map((webhook) => (
            <WebhookRow
              key={webhook.id}
              webhook={webhook}
              onEdit={() => setEdited(webhook)}
              onLog={() => setLogged(webhook)}
              onSecret={setSecret}
            />
          ))}
        </ul>
      )}
      <div>
        <Button icon={Plus} onClick={() => setEdited("new")}>
          Add webhook
        </Button>
      </div>
      <WebhookDialog opened={edited} onSecret={setSecret} onClose={() => setEdited(null)} />
      <SecretDialog secret={secret} onClose={() => setSecret(null)} />
      <DeliveriesSheet webhook={logged} onClose={() => setLogged(null)} />
    </SettingsSection>
  );
}

/** Shows a new secret once. */
function SecretDialog({ secret, onClose }: { secret: string | null; onClose: () => void }) {
  const { copied, copy } = useCopy();
  const shown = useLastValue(secret);
  if (shown === null) return null;
  return (
    <Dialog
      isOpen={secret !== null}
      title="Copy the signing secret"
      text="It is shown only once. The receiver needs it to verify requests."
      onClose={onClose}
      footer={
        <>
          <Button onClick={() => copy(shown)}>{copied ? "Copied!" : "Copy secret"}</Button>
          <Button look="primary" onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      <output aria-label="Signing secret" className="raw rounded-2 bg-well px-3 py-2 wrap-anywhere text-ink">
        {shown}
      </output>
    </Dialog>
  );
}

const POLL_MS = 5_000;

function DeliveriesSheet({ webhook, onClose }: { webhook: Webhook | null; onClose: () => void }) {
  const shown = useLastValue(webhook);
  if (!shown) return null;
  return (
    <Sheet
      isOpen={webhook !== null}
      title="Deliveries"
      hint={new URL(shown.url).host}
      onClose={onClose}
      footer={
        <Button look="quiet" onClick={onClose}>
          Close
        </Button>
      }
    >
      <Log key={shown.id} id={shown.id} />
    </Sheet>
  );
}

function Log({ id }: { id: string }) {
  const log = useQuery({
    queryKey: deliveriesKey(id),
    queryFn: ({ signal }) => listSendings(id, signal),
    staleTime: 0,
    refetchInterval: POLL_MS,
  });
  if (log.isPending) return <Skeleton className="h-4 w-56" />;
  if (log.isLoadingError) {
    return (
      <ErrorState
        title="Couldn't load the deliveries"
        text={log.error.message}
        isRetrying={log.isFetching}
        onRetry={() => void log.refetch()}
      />
    );
  }
  if (log.data?.length === 0) {
    return <EmptyState title="Nothing sent yet" text="Deliveries of the last 30 days appear here." />;
  }
  return (
    <ul aria-label="Deliveries" className="grid min-w-0">
      {log.data?.map((delivery) => (
        <DeliveryLine key={delivery.id} webhookId={id} delivery={delivery} />
      ))}
    </ul>
  );
}
