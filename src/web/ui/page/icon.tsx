import type { LucideIcon } from "lucide-react";

export type { LucideIcon };

/** 16 px, or 14 in status and hints. Hidden from screen readers. */
export function Icon({
  icon: Glyph,
  size = 16,
  className,
}: {
  icon: LucideIcon;
  size?: 12 | 14 | 16 | 26;
  className?: string | undefined;
}) {
  return <Glyph size={size} strokeWidth={1.5} absoluteStrokeWidth aria-hidden className={className ?? "shrink-0"} />;
}
