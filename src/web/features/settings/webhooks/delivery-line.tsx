import { useQuery } from "@tanstack/react-query";
import { CircleAlert, CircleCheck, CircleDashed } from "lucide-react";
import { useState } from "react";
import type { WebhookDelivery, WebhookDeliveryStatus } from "#contract/webhooks/webhooks.ts";
import { deliveryKey, readSending, replayEvent } from "../../../api/functions/settings/webhooks.ts";
import { formatShortDate, formatWholeDate } from "../../../jobs/time/short-date.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { Icon } from "../../../ui/page/icon.tsx";
import { tooltip } from "../../../ui/page/tooltip.ts";
import { Skeleton } from "../../../ui/states/skeleton.tsx";
import { useExclusiveAction } from "../../../ui/use-exclusive-action.ts";
import { runTest, TestResult } from "../../../editors/draft-test.tsx";
import { describeAttempt, describeDelivery, formatBody, labelOf } from "./describe-webhook.ts";
import { useWebhookList } from "./use-webhooks.ts";

const LOOKS: Record<WebhookDeliveryStatus, { icon: typeof CircleCheck; ink: string; label: string }> = {
  pending: { icon: CircleDashed, ink: "text-queued", label: "Waiting" },
  delivered: { icon: CircleCheck, ink: "text-completed", label: "Delivered" },
  failed: { icon: CircleAlert, ink: "text-failed", label: "Failed" },
};

export function DeliveryLine({ webhookId, delivery }: { webhookId: string; delivery: WebhookDelivery }) {
  const { id, type, status, created_at: at } = delivery;
  const [isOpen, setIsOpen] = useState(false);
  const { icon, ink, label } = LOOKS[status];
  return (
    <li className="min-w-0 border-t border-line py-3 first:border-t-0 first:pt-0">
      <div className="flex items-start gap-2">
        <span className={`mt-0.5 shrink-0 ${ink}`} {...tooltip(label)}>
          <Icon icon={icon} size={14} />
          <span className="sr-only">{label}</span>
        </span>
        <div className="min-w-0 flex-1">
          <div className="flex flex-wrap items-baseline justify-between gap-x-3">
            <span className="font-medium text-ink">{labelOf(type)}</span>
            <span className="tnum text-12 text-ink-3" {...tooltip(formatWholeDate(at))}>
              {formatShortDate(at)}
            </span>
          </div>
          <p className="text-12 wrap-anywhere text-ink-3">{describeDelivery(delivery)}</p>
        </div>
        <Button
          size="sm"
          look="quiet"
          aria-expanded={isOpen}
          aria-label={`${isOpen ? "Hide" : "Show"} details of ${labelOf(type)}, ${formatWholeDate(at)}`}
          onClick={() => setIsOpen(!isOpen)}
        >
          {isOpen ? "Hide" : "Details"}
        </Button>
      </div>
      {isOpen && <Details webhookId={webhookId} id={id} status={status} made={delivery.attempts} />}
    </li>
  );
}

/** Refetches after each attempt. */
function Details({
  webhookId,
  id,
  status,
  made,
}: {
  webhookId: string;
  id: string;
  status: WebhookDeliveryStatus;
  made: number;
}) {
  const whole = useQuery({
    queryKey: [...deliveryKey(webhookId, id), status, made],
    queryFn: ({ signal }) => readSending(webhookId, id, signal),
    placeholderData: (previous) => previous,
  });
  const { isBusy, run } = useExclusiveAction();
  const { refetch } = useWebhookList();
  const [result, setResult] = useState<{ isValid: boolean; message: string } | null>(null);

  async function replay() {
    setResult(null);
    setResult(
      await runTest(async () => {
        const last = (await replayEvent(webhookId, id)).attempts.at(-1);
        if (!last) return { isValid: false, message: "The replay is still being sent." };
        return { isValid: last.error === null, message: `${describeAttempt(last)}.` };
      }),
    );
    await refetch();
  }
  if (whole.isLoadingError) return <p className="mt-2 text-12 text-failed">{whole.error.message}</p>;
  if (!whole.data) return <Skeleton className="mt-2 h-4 w-56" />;
  const { body, attempts, event_id: eventId } = whole.data;
  return (
    <div className="mt-2 grid min-w-0 gap-2 text-12">
      <p className="text-ink-3">
        webhook-id <span className="raw wrap-anywhere">{eventId}</span>
      </p>
      <Text label="Body" text={formatBody(body)} />
      {attempts.map((attempt) => (
        <div key={attempt.at} className="grid gap-1">
          <p className="text-ink-3">
            <span className="tnum">{formatWholeDate(attempt.at)}</span>: {describeAttempt(attempt)}
          </p>
          {attempt.answer && <Text label="Response" text={attempt.answer} />}
        </div>
      ))}
      <div className="flex flex-wrap items-center gap-2">
        <Button size="sm" isBusy={isBusy} onClick={() => void run(replay)}>
          Replay
        </Button>
        <TestResult result={result} />
      </div>
    </div>
  );
}

/** Scrollable by keyboard. */
function Text({ label, text }: { label: string; text: string }) {
  return (
    <section
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable content needs the focus (WCAG 2.1.1)
      tabIndex={0}
      aria-label={label}
      className="raw max-h-48 overflow-auto rounded-2 bg-well px-3 py-2 wrap-anywhere whitespace-pre-wrap text-ink"
    >
      {text}
    </section>
  );
}
