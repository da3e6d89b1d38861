import { classNames } from "../../ui/class-names.ts";
import { Skeleton } from "../../ui/states/skeleton.tsx";

export function JobRowSkeleton({
  className,
  hasCheck = false,
  hasElapsed = false,
}: {
  className: string;
  hasCheck?: boolean;
  hasElapsed?: boolean;
}) {
  return (
    <li
      className={classNames(
        "grid min-h-15 items-center gap-x-4 px-3 py-2 max-desk:grid-cols-1 max-desk:gap-y-2 max-desk:px-4",
        className,
      )}
    >
      {hasCheck && <Skeleton className="size-4 max-desk:hidden" />}
      <div className="grid gap-2">
        <Skeleton className="h-3 w-3/5" />
        <Skeleton className="h-2.5 w-2/5" />
      </div>
      <Skeleton className="h-3 w-20" />
      <Skeleton className="h-2 max-desk:hidden" />
      {hasElapsed && <Skeleton className="ml-auto h-3 w-10 max-wide:hidden" />}
      <Skeleton className="ml-auto h-3 w-20 max-desk:hidden" />
    </li>
  );
}
