import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { memo, useMemo, useState } from "react";
import type { JobEventsResponse } from "#contract/calls.ts";
import type { JobEvent, JobVideo } from "#contract/jobs/jobs.ts";
import { readJobEvents } from "../../../api/jobs.ts";
import { jobKeys } from "../../../jobs/cache/job-keys.ts";
import { formatWholeDate } from "../../../jobs/time/short-date.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { GrowingList } from "../../../ui/page/growing-list.tsx";
import { tooltip } from "../../../ui/page/tooltip.ts";
import { addNewest, describeEvent } from "./job-event.ts";

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

/** Shown initially: a job of 10,000 videos has 20,000 events. */
const INITIAL_COUNT = 12;
/** Usually more than were written since the last read. */
const NEWEST_COUNT = 200;

/** Reads all only if `isExpanded`, and then only the newest again. */
function useJobEvents(jobId: string, isExpanded: boolean) {
  const client = useQueryClient();
  const newest = useQuery({
    queryKey: [...jobKeys.events(jobId), "newest"],
    queryFn: () => readJobEvents(jobId, INITIAL_COUNT),
  });
  const key = [...jobKeys.events(jobId), "all"];
  const all = useQuery({ queryKey: key, queryFn: () => readAll(client, jobId, key), enabled: isExpanded });
  const events = (isExpanded ? all.data : undefined) ?? newest.data;
  return { events, isReading: isExpanded && all.isFetching, readAgain: all.refetch };
}

async function readAll(client: QueryClient, jobId: string, key: string[]): Promise<JobEventsResponse> {
  const known = client.getQueryData<JobEventsResponse>(key);
  if (!known) return readJobEvents(jobId);
  const newest = await readJobEvents(jobId, NEWEST_COUNT);
  const data = addNewest(known.data, newest);
  return data ? { data, total: data.length } : readJobEvents(jobId);
}
