import { classNames } from "../class-names.ts";

/** A still block in the shape of what is being loaded; give it its size. The list around it says aria-busy. */
export function Skeleton({ className }: { className: string }) {
  return <span aria-hidden className={classNames("block rounded-1 bg-slat", className)} />;
}
