import { Link } from "@tanstack/react-router";
import {
  ArrowLeft,
  CheckCheck,
  Columns3,
  Ellipsis,
  SquareSplitHorizontal,
  Keyboard,
  Volume2,
  VolumeX,
} from "lucide-react";
import { type Job, jobTitle } from "#contract/jobs/jobs.ts";
import type { Platform } from "#contract/jobs/outputs/conformance.ts";
import { PLATFORMS } from "#contract/jobs/outputs/platforms.ts";
import { paths } from "../../app/routing/paths.ts";
import { formatCount, pluralize } from "../../jobs/row/pluralize.ts";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import { Menu } from "../../ui/menus/menu.tsx";
import { Select } from "../../ui/menus/select.tsx";
import { Icon } from "../../ui/page/icon.tsx";
import { tooltipWhenCut } from "../../ui/page/tooltip.ts";

const NO_GUIDE = "none";
const GUIDES = [
  { value: NO_GUIDE, label: "No safe area" },
  ...(Object.keys(PLATFORMS) as Platform[]).map((value) => ({ value, label: `Safe area: ${PLATFORMS[value].label}` })),
] as const;

export function ReviewHead({
  job,
  place,
  platform,
  onPlatform,
  hasVariants,
  onVariants,
  onCompare,
  isMuted,
  onMute,
  unreviewedCount,
  onApproveRest,
  onKeys,
}: {
  job: Job;
  /** The current file's place in the list, from 1. */
  place: { at: number; of: number } | null;
  platform: Platform | null;
  onPlatform: (platform: Platform | null) => void;
  hasVariants: boolean;
  onVariants: (hasVariants: boolean) => void;
  onCompare: () => void;
  isMuted: boolean;
  onMute: (isMuted: boolean) => void;
  unreviewedCount: number;
  onApproveRest: () => void;
  onKeys: () => void;
}) {
  return (
    <div className="flex min-h-14 items-center gap-2 py-2 pr-3 pl-6 max-desk:flex-wrap max-desk:px-4">
      <div className="min-w-0 flex-1 max-desk:basis-full">
        <Link
          to={paths.job}
          params={{ jobId: job.id }}
          className="inline-flex max-w-full items-center gap-1.5 rounded-1 text-12 text-ink-3 transition-colors hover:text-ink"
        >
          <Icon icon={ArrowLeft} size={14} />
          <span dir="auto" className="truncate" {...tooltipWhenCut(jobTitle(job))}>
            {jobTitle(job)}
          </span>
        </Link>
        <div className="flex items-baseline gap-2.5">
          <h1 className="text-16">Review</h1>
          {place && (
            <span aria-live="polite" className="tnum text-12 text-ink-3">
              {formatCount(place.at)} of {formatCount(place.of)}
            </span>
          )}
        </div>
      </div>
      <Select
        label="Safe area"
        className="w-44 max-desk:flex-1"
        value={platform ?? NO_GUIDE}
        options={GUIDES}
        onChange={(value) => onPlatform(value === NO_GUIDE ? null : value)}
      />
      <IconButton
        icon={Columns3}
        label="Show all variants side by side"
        aria-keyshortcuts="v"
        aria-pressed={hasVariants}
        className="aria-pressed:bg-raised-2 aria-pressed:text-ink"
        onClick={() => onVariants(!hasVariants)}
      />
      <IconButton
        icon={SquareSplitHorizontal}
        label="Compare"
        aria-keyshortcuts="c"
        disabled={place === null}
        onClick={onCompare}
      />
      <IconButton
        icon={isMuted ? VolumeX : Volume2}
        label={isMuted ? "Turn the sound on" : "Turn the sound off"}
        aria-keyshortcuts="m"
        onClick={() => onMute(!isMuted)}
      />
      <IconButton
        icon={Keyboard}
        label="Review shortcuts"
        aria-keyshortcuts="?"
        className="max-desk:hidden"
        onClick={onKeys}
      />
      <Menu
        label="More actions"
        icon={Ellipsis}
        items={[
          {
            label: `Approve ${pluralize(unreviewedCount, "other file")}`,
            icon: CheckCheck,
            isDisabled: unreviewedCount === 0,
            onSelect: onApproveRest,
          },
        ]}
      />
    </div>
  );
}
