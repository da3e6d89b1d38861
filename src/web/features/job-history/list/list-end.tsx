import { useEffect, useEffectEvent, useRef } from "react";
import { formatCount } from "../../../jobs/row/pluralize.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { Spinner } from "../../../ui/states/spinner.tsx";

const NEAR_PX = 1000;

export function ListEnd({
  total,
  hasMore,
  isLoading,
  isFetching,
  hasFailed,
  onMore,
}: {
  total: number;
  hasMore: boolean;
  /** The next page is loading. */
  isLoading: boolean;
  isFetching: boolean;
  hasFailed: boolean;
  onMore: () => void;
}) {
  const end = useRef<HTMLDivElement>(null);
  const handleNear = useEffectEvent(onMore);
  // Fetching during a refetch of the list would cancel one of them.
  const isWaiting = hasMore && !isFetching && !hasFailed;
  useEffect(() => {
    if (!end.current || !isWaiting) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) handleNear();
      },
      { rootMargin: `0px 0px ${NEAR_PX}px 0px` },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
    // The end may still be near after a page loads, so observe it again.
  }, [isWaiting]);
  return (
    <>
      <div className="flex min-h-14 items-center justify-center gap-2 px-6 pb-6 text-center text-12 text-ink-3">
        {isLoading && (
          <>
            <Spinner size={14} />
            Loading more jobs...
          </>
        )}
        {hasFailed && !isLoading && <Button onClick={onMore}>Try again</Button>}
        {!hasMore && `You've reached the end of the results. Total: ${formatCount(total)} jobs.`}
      </div>
      <div ref={end} aria-hidden />
    </>
  );
}
