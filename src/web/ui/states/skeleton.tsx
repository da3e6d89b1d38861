import { classNames } from "../class-names.ts";

/** Takes its size from the caller; the surrounding list sets aria-busy. */
export function Skeleton({ className }: { className: string }) {
  return <span aria-hidden className={classNames("block rounded-1 bg-slat", className)} />;
}
