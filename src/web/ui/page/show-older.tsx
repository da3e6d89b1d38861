import { classNames } from "../class-names.ts";
import { Button } from "../buttons/button.tsx";

/** Loads the next page of a list, if there is one; otherwise shows `end`. */
export function ShowOlder({
  query,
  end = null,
  className,
}: {
  query: {
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    isFetchNextPageError: boolean;
    fetchNextPage: () => Promise<unknown>;
  };
  end?: string | null;
  className?: string;
}) {
  if (!query.hasNextPage && end === null) return null;
  return (
    <div className={classNames("flex min-h-8 items-center gap-3 text-12 text-ink-3", className)}>
      {query.hasNextPage ? (
        <Button isBusy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          Show older
        </Button>
      ) : (
        end
      )}
      {query.isFetchNextPageError && !query.isFetchingNextPage && (
        <span role="alert" className="text-failed">
          Couldn't load more. Try again.
        </span>
      )}
    </div>
  );
}
