import { Plus } from "lucide-react";
import { useState } from "react";
import type { Webhook } from "#contract/webhooks/webhooks.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { EmptyState } from "../../../ui/states/empty-state.tsx";
import { ErrorState } from "../../../ui/states/error-state.tsx";
import { Skeleton } from "../../../ui/states/skeleton.tsx";
import { SettingsSection } from "../settings-section.tsx";
import { DeliveriesSheet } from "./deliveries-sheet.tsx";
import { SecretDialog } from "./secret-dialog.tsx";
import { useWebhooks } from "./use-webhooks.ts";
import { WebhookDialog } from "./webhook-dialog.tsx";
import { WebhookRow } from "./webhook-row.tsx";

export function WebhooksSection() {
  const webhooks = useWebhooks();
  const [edited, setEdited] = useState<Webhook | "new" | null>(null);
  const [logged, setLogged] = useState<Webhook | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const { data } = webhooks;
  const add = (
    <Button icon={Plus} onClick={() => setEdited("new")}>
      Add webhook
    </Button>
  );
  return (
    <SettingsSection
      title="Webhooks"
      text="Clipmill sends events to these addresses. Every request is signed. Failed requests are retried for up to 75 hours."
    >
      {webhooks.isPending && (
        <div aria-busy className="grid gap-2">
          <Skeleton className="h-4 w-56" />
          <Skeleton className="h-4 w-72 max-w-full" />
        </div>
      )}
      {webhooks.isLoadingError && (
        <ErrorState
          title="Couldn't load the webhooks"
          text={webhooks.error.message}
          isRetrying={webhooks.isFetching}
          onRetry={() => void webhooks.refetch()}
        />
      )}
      {data?.length === 0 && (
        <EmptyState title="No webhooks" text="Add one to notify another system when a job ends." action={add} />
      )}
      {data && data.length > 0 && (
        <>
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
          <div>{add}</div>
        </>
      )}
      <WebhookDialog opened={edited} onSecret={setSecret} onClose={() => setEdited(null)} />
      <SecretDialog secret={secret} onClose={() => setSecret(null)} />
      <DeliveriesSheet webhook={logged} onClose={() => setLogged(null)} />
    </SettingsSection>
  );
}
