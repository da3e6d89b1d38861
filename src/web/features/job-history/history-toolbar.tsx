import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { JobStatus } from "#contract/jobs/jobs.ts";
import type { HistoryFilter } from "../../jobs/cache/history-filter.ts";
import { SearchField } from "../../ui/fields/search-field.tsx";
import { Select } from "../../ui/menus/select.tsx";

const SEARCH_DELAY_MS = 500;

const STATUSES: readonly { value: JobStatus | "all"; label: string }[] = [
  { value: "all", label: "All Statuses" },
  { value: "Completed", label: "Completed" },
  { value: "Processing", label: "Processing" },
  { value: "Cancelling", label: "Cancelling" },
  { value: "Failed", label: "Failed" },
  { value: "Queued", label: "Queued" },
  { value: "Cancelled", label: "Cancelled" },
];

const TYPES = [
  { value: "all", label: "All Types" },
  { value: "captions", label: "With Captions" },
  { value: "audio", label: "With Audio" },
] as const;

type FilterProps = { filter: HistoryFilter; onChange: (changes: Partial<HistoryFilter>) => void };

export function HistoryToolbar({ filter, onChange }: FilterProps) {
  return (
    <>
      <HistorySearch search={filter.search} onSearch={(search) => onChange({ search })} />
      <Select
        label="Status"
        className="w-[136px] max-desk:w-auto max-desk:flex-1"
        options={STATUSES}
        value={filter.status ?? "all"}
        onChange={(status) => onChange({ status: status === "all" ? null : status })}
      />
      <Select
        label="Type"
        className="w-[120px] max-desk:w-auto max-desk:flex-1"
        options={TYPES}
        value={filter.type ?? "all"}
        onChange={(type) => onChange({ type: type === "all" ? null : type })}
      />
    </>
  );
}

function HistorySearch({ search, onSearch }: { search: string; onSearch: (search: string) => void }) {
  const [text, setText] = useState(search);
  const sent = useRef(search);
  const handleSearch = useEffectEvent(onSearch);

  useEffect(() => {
    const query = text.trim();
    if (query === sent.current) return undefined;
    const timer = setTimeout(() => {
      sent.current = query;
      handleSearch(query);
    }, SEARCH_DELAY_MS);
    return () => clearTimeout(timer);
  }, [text]);

  useEffect(() => {
    // Ignore our own search coming back through the URL; apply other changes (Back, "Clear filters").
    if (search === sent.current) return;
    sent.current = search;
    setText(search);
  }, [search]);

  return (
    <div className="w-60 max-wide:w-[180px] max-desk:w-full">
      <SearchField label="Search jobs" placeholder="Search jobs..." value={text} onChange={setText} />
    </div>
  );
}
