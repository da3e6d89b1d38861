import { useEffect, useEffectEvent, useRef } from "react";
import { formatCount } from "../../../jobs/row/count-words.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { Spinner } from "../../../ui/states/spinner.tsx";

/** The next page is fetched when the end comes this near. */
const NEAR_PX = 1000;

/** What stands below the last card: it fetches more when it comes near, and says so, or that this is all. */
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
  /** The next page is on its way. */
  isLoading: boolean;
  /** Anything of the list is on its way. */
  isFetching: boolean;
  hasFailed: boolean;
  onMore: () => void;
}) {
  const end = useRef<HTMLDivElement>(null);
  const handleNear = useEffectEvent(onMore);
  // Asking while the whole list is being read would cancel that, or be cancelled by it.
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
    // A new page may leave the end as near as it was: after each load it is looked at anew.
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
