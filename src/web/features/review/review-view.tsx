import { Suspense, useMemo, useState } from "react";
import { type Job, type JobOutput, jobTitle } from "#contract/jobs/jobs.ts";
import type { Platform } from "#contract/jobs/outputs/conformance.ts";
import { useSyncedPlayer } from "../../jobs/player/synced-player.ts";
import { Transport } from "../../jobs/player/transport.tsx";
import { pluralize } from "../../jobs/row/pluralize.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { KeysDialog } from "../../ui/dialogs/keys-dialog.tsx";
import { Pane, RailPane } from "../../ui/dialogs/pane.tsx";
import { lazyPart } from "../../ui/page/lazy-part.ts";
import { EmptyState } from "../../ui/states/empty-state.tsx";
import { usePageTitle } from "../../ui/text/page-title.ts";
import { useScreenKeys } from "../../ui/use-screen-keys.ts";
import { Filmstrip } from "./list/filmstrip.tsx";
import type { Part } from "./list/parts.ts";
import { type ReviewFilter, usualReasons, variantsOf } from "./list/review-list.ts";
import { OutputFacts } from "./rail/output-facts.tsx";
import { PartVerdicts } from "./rail/part-verdicts.tsx";
import { ReviewProgress } from "./rail/review-progress.tsx";
import { ApprovedActions, RejectedActions } from "./rail/verdict-actions.tsx";
import { ReviewHead } from "./review-head.tsx";
import { REVIEW_KEYS } from "./review-keys.ts";
import { Stage } from "./stage/stage.tsx";
import { useLiveReview } from "./use-review-data.ts";
import { useParts } from "./use-parts.ts";
import { useReview } from "./use-review.ts";
import { RejectDialog } from "./verdicts/reject-dialog.tsx";
import { VerdictBar } from "./verdicts/verdict-bar.tsx";

const RemakeDialog = lazyPart(() => import("./remake/remake-dialog.tsx"));
const Compare = lazyPart(() => import("../../jobs/compare/compare.tsx"));

/** More files side by side would be too small to judge. */
const MOST_VARIANTS = 6;
const AHEAD = 2;
const MOST_REASONS = 6;

export function ReviewView({ job, saved, onReload }: { job: Job; saved: readonly JobOutput[]; onReload: () => void }) {
  const review = useReview(job.id, saved);
  const { current, list, outputs } = review;
  const player = useSyncedPlayer();
  const [dialog, setDialog] = useState<"keys" | "compare" | "remake" | null>(null);
  const [rejecting, setRejecting] = useState<Part | null>(null);
  const [platform, setPlatform] = useState<Platform | null>(job.platform);
  const [hasVariants, setHasVariants] = useState(false);
  const [isMuted, setIsMuted] = useState(false);
  const parts = useParts(job, outputs, current);
  const reasons = useMemo(() => usualReasons(outputs, MOST_REASONS), [outputs]);
  const [lastReason, setLastReason] = useState<string | null>(null);
  useLiveReview(job.id);
  usePageTitle(`Review of ${jobTitle(job)}`);

  function reject(rejected: readonly JobOutput[], reason: string | null) {
    setRejecting(null);
    setLastReason(reason);
    const [only] = rejected;
    if (only && rejected.length === 1) review.decide(only, "rejected", reason);
    else review.decideAll(rejected, "rejected", reason);
  }
  const close = () => setDialog(null);
  const togglePlatform = () => setPlatform(platform === null ? (job.platform ?? "tiktok") : null);
  const compare = () => {
    player.pause();
    setDialog("compare");
  };
  const ask = (part: Part) => {
    player.pause();
    setRejecting(part);
  };
  const askAbout = (output: JobOutput) => ask({ name: output.name, outputs: [output] });
  useScreenKeys({
    "?": () => setDialog("keys"),
    u: review.takeBack,
    ...(current && {
      " ": player.toggle,
      a: () => review.decide(current, "approved"),
      r: () => askAbout(current),
      "shift+r": () => reject([current], lastReason),
      arrowleft: () => review.step(-1),
      arrowright: () => review.step(1),
      ",": () => player.step(-1),
      ".": () => player.step(1),
      m: () => setIsMuted(!isMuted),
      c: compare,
      v: () => setHasVariants(!hasVariants),
      s: togglePlatform,
    }),
  });
  const at = current ? list.indexOf(current) : -1;
  const shown = current && (hasVariants ? around(variantsOf(outputs, current), current) : [current]);
  return (
    <div className="desk:contents max-desk:flex max-desk:flex-col max-desk:pb-16">
      <Pane>
        <ReviewHead
          job={job}
          place={current ? { at: at + 1, of: list.length } : null}
          platform={platform}
          onPlatform={setPlatform}
          hasVariants={hasVariants}
          onVariants={setHasVariants}
          onCompare={compare}
          isMuted={isMuted}
          onMute={setIsMuted}
          unreviewedCount={review.counts.unreviewed}
          onApproveRest={review.approveRest}
          onKeys={() => setDialog("keys")}
        />
        {current && shown ? (
          <>
            <Stage
              player={player}
              shown={shown}
              current={current}
              next={list.slice(at + 1, at + 1 + AHEAD)}
              platform={platform}
              isMuted={isMuted}
              onChoose={review.choose}
              onReload={onReload}
            />
            <div className="flex items-center gap-3 px-3 py-2">
              <Transport player={player} />
              <VerdictBar
                canUndo={review.canUndo}
                onStep={review.step}
                onUndo={review.takeBack}
                onReject={() => askAbout(current)}
                onApprove={() => review.decide(current, "approved")}
              />
            </div>
            <Filmstrip list={list} currentId={current.id} onChoose={review.choose} />
          </>
        ) : (
          <AllReviewed filter={review.filter} counts={review.counts} onShow={review.show} />
        )}
      </Pane>
      <RailPane label="Review" isBesideList>
        <ReviewProgress
          counts={review.counts}
          filter={review.filter}
          saving={describeSaving(review)}
          onFilter={review.show}
        />
        {current && <OutputFacts job={job} output={current} />}
        {parts.length > 0 && (
          <PartVerdicts
            parts={parts}
            onApprove={(part) => review.decideAll(part.outputs, "approved")}
            onReject={({ name, outputs: shown }) => ask({ name: `With ${name}`, outputs: shown })}
          />
        )}
        <RejectedActions job={job} count={review.counts.rejected} onRemake={() => setDialog("remake")} />
        <ApprovedActions jobId={job.id} count={review.counts.approved} isUnsaved={review.unsavedCount > 0} />
      </RailPane>
      {rejecting && (
        <RejectDialog
          name={rejecting.name}
          count={rejecting.outputs.length}
          reasons={reasons}
          isOpen
          onReject={(reason) => reject(rejecting.outputs, reason)}
          onClose={() => setRejecting(null)}
        />
      )}
      {dialog === "compare" && current && (
        <Suspense>
          <Compare job={job} output={current} variants={variantsOf(outputs, current)} onClose={close} />
        </Suspense>
      )}
      {dialog === "remake" && (
        <Suspense>
          <RemakeDialog job={job} rejected={outputs.filter(({ verdict }) => verdict === "rejected")} onClose={close} />
        </Suspense>
      )}
      {dialog === "keys" && <KeysDialog title="Review shortcuts" keys={REVIEW_KEYS} onClose={close} />}
    </div>
  );
}

function describeSaving({ unsavedCount, isStuck, counts }: ReturnType<typeof useReview>): string {
  if (isStuck) return `${unsavedCount} not saved: the server can't be reached. Trying again.`;
  if (unsavedCount > 0) return "Saving";
  return counts.all > counts.unreviewed ? "Saved" : "";
}

function around(variants: readonly JobOutput[], current: JobOutput): readonly JobOutput[] {
  const start = Math.max(0, Math.min(variants.indexOf(current) - 2, variants.length - MOST_VARIANTS));
  return variants.slice(start, start + MOST_VARIANTS);
}

function AllReviewed({
  filter,
  counts,
  onShow,
}: {
  filter: ReviewFilter;
  counts: Record<ReviewFilter, number>;
  onShow: (filter: ReviewFilter) => void;
}) {
  const isDone = filter === "unreviewed";
  return (
    <div className="pt-[8vh]">
      <EmptyState
        title={isDone ? "All files are reviewed" : `No ${filter} files`}
        text={
          isDone
            ? `${pluralize(counts.approved, "file")} approved, ${counts.rejected} rejected.`
            : "Choose another filter."
        }
        action={<Button onClick={() => onShow("all")}>Show all files</Button>}
      />
    </div>
  );
}
