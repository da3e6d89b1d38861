import { useQuery } from "@tanstack/react-query";
import type { Webhook } from "#contract/webhooks/webhooks.ts";
import { deliveriesKey, listSendings } from "../../../api/functions/settings/webhooks.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { Sheet } from "../../../ui/dialogs/sheet.tsx";
import { EmptyState } from "../../../ui/states/empty-state.tsx";
import { ErrorState } from "../../../ui/states/error-state.tsx";
import { Skeleton } from "../../../ui/states/skeleton.tsx";
import { useLastValue } from "../use-last-value.ts";
import { DeliveryLine } from "./delivery-line.tsx";

const POLL_MS = 5_000;

export function DeliveriesSheet({ webhook, onClose }: { webhook: Webhook | null; onClose: () => void }) {
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
