import { memo, useMemo, useState } from "react";
import type { JobEvent, JobVideo } from "#contract/jobs/jobs.ts";
import { formatWholeDate } from "../../../jobs/time/short-date.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { GrowingList } from "../../../ui/page/growing-list.tsx";
import { tooltip } from "../../../ui/page/tooltip.ts";
import { describeEvent } from "./describe-event.ts";
import { useJobEvents } from "./use-job-events.ts";

const clock = new Intl.DateTimeFormat("en-US", { timeStyle: "medium", hourCycle: "h23" });

export function JobEvents({ jobId, videos }: { jobId: string; videos: readonly JobVideo[] }) {
  const [isExpanded, setIsExpanded] = useState(false);
  const { events, isReading, readAgain } = useJobEvents(jobId, isExpanded);
  const positions = useMemo(() => new Map(videos.map(({ id, position }) => [id, position])), [videos]);
  if (!events) return null;
  const { data, total } = events;
  return (
    <section className="border-t border-line px-5 py-4 max-desk:order-1 max-desk:px-4">
      <h2 className="mb-3 text-13">Events</h2>
      {data.length < total && (
        <Button
          size="sm"
          look="quiet"
          className="-ml-2 mb-2"
          isBusy={isReading}
          onClick={() => (isExpanded ? void readAgain() : setIsExpanded(true))}
        >
          Show all {total} events
        </Button>
      )}
      <ol className="grid gap-1.5 text-12">
        <GrowingList items={data}>
          {(event) => <EventRow key={event.id} event={event} position={positions.get(event.video_id ?? "")} />}
        </GrowingList>
      </ol>
    </section>
  );
}

const EventRow = memo(function EventRow({ event, position }: { event: JobEvent; position: number | undefined }) {
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3">
      <time dateTime={event.created_at} className="tnum text-ink-3" {...tooltip(formatWholeDate(event.created_at))}>
        {clock.format(new Date(event.created_at))}
      </time>
      <div className="min-w-0">
        <p className="text-ink">{describeEvent(event, position)}</p>
        {event.message && <p className="wrap-anywhere text-ink-3">{event.message}</p>}
      </div>
    </li>
  );
});
