import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { JobVideo } from "#contract/jobs/jobs.ts";
import { readJobEvents } from "../../../api/jobs.ts";
import { jobKeys } from "../../../jobs/cache/job-keys.ts";
import { formatWholeDate } from "../../../jobs/time/short-date.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { tooltip } from "../../../ui/page/tooltip.ts";
import { describeEvent } from "./describe-event.ts";

/** Initial number of latest events: a job of 1,000 videos has thousands. */
const INITIAL_COUNT = 12;

const clock = new Intl.DateTimeFormat("en-US", { timeStyle: "medium", hourCycle: "h23" });

export function JobEvents({ jobId, videos }: { jobId: string; videos: readonly JobVideo[] }) {
  const { data: events } = useQuery({ queryKey: jobKeys.events(jobId), queryFn: () => readJobEvents(jobId) });
  const [isExpanded, setIsExpanded] = useState(false);
  if (!events) return null;
  const shown = isExpanded ? events : events.slice(-INITIAL_COUNT);
  return (
    <section className="border-t border-line px-5 py-4 max-desk:order-1 max-desk:px-4">
      <h2 className="mb-3 text-13">Events</h2>
      {shown.length < events.length && (
        <Button size="sm" look="quiet" className="-ml-2 mb-2" onClick={() => setIsExpanded(true)}>
          Show all {events.length} events
        </Button>
      )}
      <ol className="grid gap-1.5 text-12">
        {shown.map((event) => (
          <li key={event.id} className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3">
            <time
              dateTime={event.created_at}
              className="tnum text-ink-3"
              {...tooltip(formatWholeDate(event.created_at))}
            >
              {clock.format(new Date(event.created_at))}
            </time>
            <div className="min-w-0">
              <p className="text-ink">{describeEvent(event, videos)}</p>
              {event.message && <p className="wrap-anywhere text-ink-3">{event.message}</p>}
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
