import type { Platform } from "#contract/jobs/outputs/conformance.ts";
import { PLATFORMS } from "#contract/jobs/outputs/platforms.ts";

/**
 * Outlines the area not covered by a platform's controls. Only for 9:16: platforms letterbox others. The parent must
 * have the picture's size.
 */
export function PlatformGuide({
  platform,
  picture: { width, height },
}: {
  platform: Platform;
  picture: { width: number; height: number };
}) {
  if (Math.abs((width / height) * (16 / 9) - 1) >= 0.01) return null;
  const { label, covered } = PLATFORMS[platform];
  const { top, bottom, left, right } = covered.value;
  return (
    <div
      aria-hidden
      className="pointer-events-none absolute border border-dashed border-[#ffffffb0] shadow-[0_0_0_1px_#00000059]"
      style={{ top: percent(top), bottom: percent(bottom), left: percent(left), right: percent(right) }}
    >
      <span className="absolute bottom-full -left-px mb-0.5 rounded-[2px] bg-[#000000b8] px-1 text-[10px] leading-[14px] text-[#fff]">
        Safe area for {label}
      </span>
    </div>
  );
}

function percent(share: number): string {
  return `${(share * 100).toFixed(2)}%`;
}
