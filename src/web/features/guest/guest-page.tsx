import { MessageSquarePlus } from "lucide-react";
import { useCallback, useEffect, useRef, useState } from "react";
import type { GuestComment, GuestSample, GuestView } from "#contract/guests/guests.ts";
import { formatShortDate } from "../../jobs/time/short-date.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { Logo } from "../../ui/page/logo.tsx";
import { ErrorBox } from "../../ui/states/error-box.tsx";
import { ErrorState } from "../../ui/states/error-state.tsx";
import { Skeleton } from "../../ui/states/skeleton.tsx";
import { formatClipLength } from "../../ui/text/length-and-size.ts";
import { CommentForm, CommentList, Decision, NameField, useFeedback } from "./feedback.tsx";
import { isReplaced, readView } from "./guest-calls.ts";

export function GuestPage() {
  const { view, hasChanged, error, setView, refresh } = useGuestView();
  return (
    <main className="mx-auto grid min-h-dvh w-full max-w-270 grid-rows-[auto_1fr] p-(--gutter) max-desk:p-0">
      <div className="px-2 py-3 text-ink max-desk:px-4">
        <Logo />
      </div>
      <div className="min-w-0 border-line bg-pane max-desk:border-t desk:rounded-3 desk:border">
        {view ? (
          <Samples view={view} hasChanged={hasChanged} error={error} onChange={setView} onRejected={refresh} />
        ) : error ? (
          <>
            <h1 className="sr-only">Samples</h1>
            <ErrorState title="Couldn't open this link" text={error} />
          </>
        ) : (
          <Loading />
        )}
      </div>
    </main>
  );
}

type SamplesProps = {
  view: GuestView;
  /** Other samples have replaced those shown. */
  hasChanged: boolean;
  error: string | null;
  onChange: (view: GuestView) => void;
  /** The shown samples may be stale. */
  onRejected: () => Promise<void>;
};

function Samples({ view, hasChanged, error, onChange, onRejected }: SamplesProps) {
  const feedback = useFeedback({ view, hasChanged, onChange, onRejected });
  const ids = new Set(view.samples.map(({ id }) => id));
  // Comments on replaced samples stay readable.
  const general = view.comments.filter(({ output_id: id }) => id === null || !ids.has(id));
  return (
    <>
      <title>{`${view.job_name} · Samples`}</title>
      <header className="grid gap-1 px-6 pt-5 pb-4 max-desk:px-4">
        <h1 dir="auto" className="text-20 font-semibold wrap-anywhere text-ink">
          {view.job_name}
        </h1>
        <p>{SENTENCES[view.state]}</p>
        <p className="text-12 text-ink-3">This link works until {formatShortDate(view.expires_at)}.</p>
        {error && <ErrorBox text={error} />}
      </header>
      {view.samples.length > 0 && (
        <ul
          aria-label="Samples"
          className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,260px),1fr))] gap-6 border-t border-line p-6 max-desk:p-4"
        >
          {view.samples.map((sample) => (
            <SampleCard
              key={sample.id}
              sample={sample}
              comments={view.comments.filter(({ output_id: id }) => id === sample.id)}
              feedback={feedback}
            />
          ))}
        </ul>
      )}
      <section aria-label="Feedback" className="grid gap-4 border-t border-line p-6 max-desk:p-4">
        <CommentList label="Your comments" comments={general} />
        {!view.can_approve && <NameField feedback={feedback} />}
        <CommentForm label="Comment" feedback={feedback} isPrimary={!view.can_approve} />
      </section>
      {view.can_approve && <Decision feedback={feedback} />}
    </>
  );
}

const SENTENCES: Record<GuestView["state"], string> = {
  making: "The samples are being made. They appear here as they are finished.",
  waiting: "Watch the samples, then say what you think. All other videos are made once the samples are approved.",
  approved: "The samples were approved.",
  stopped: "The job was stopped after these samples.",
  cancelled: "The job was canceled.",
};

function Loading() {
  return (
    <div aria-busy className="grid gap-2 px-6 py-5">
      <h1 className="sr-only">Samples</h1>
      <Skeleton className="h-6 w-64 max-w-full" />
      <Skeleton className="h-4 w-96 max-w-full" />
    </div>
  );
}

/** Loads the video on play. A comment keeps the moment at which the video stands. */
function SampleCard({
  sample,
  comments,
  feedback,
}: {
  sample: GuestSample;
  comments: readonly GuestComment[];
  feedback: ReturnType<typeof useFeedback>;
}) {
  const { id, name, width, height, duration_seconds: seconds } = sample;
  const video = useRef<HTMLVideoElement>(null);
  const [now, setNow] = useState(0);
  const [moment, setMoment] = useState<number | null>(null);

  function startComment() {
    video.current?.pause();
    setMoment(video.current?.currentTime ?? 0);
  }
  function showMoment(atSeconds: number) {
    if (!video.current) return;
    video.current.pause();
    video.current.currentTime = atSeconds;
    video.current.scrollIntoView({ block: "nearest" });
  }
  return (
    <li className="grid min-w-0 content-start gap-2">
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- captions are burned into the picture */}
      <video
        ref={video}
        controls
        playsInline
        preload="none"
        aria-label={name}
        src={sample.media_url}
        poster={sample.thumbnail_url}
        width={width}
        height={height}
        // In its own shape, and no higher than the screen.
        style={{ aspectRatio: width / height, width: `min(100%, calc(min(60dvh, 600px) * ${width / height}))` }}
        className="h-auto rounded-1 max-desk:mx-auto bg-screen object-contain"
        onTimeUpdate={(event) => setNow(event.currentTarget.currentTime)}
      />
      <p className="flex min-w-0 gap-2 text-12">
        <span dir="auto" className="raw min-w-0 flex-1 wrap-anywhere text-ink">
          {name}
        </span>
        <span className="tnum text-ink-3">{formatClipLength(seconds)}</span>
      </p>
      <CommentList label={`Notes on ${name}`} comments={comments} onMoment={showMoment} />
      {moment === null ? (
        <div>
          <Button icon={MessageSquarePlus} onClick={startComment}>
            Comment at {formatClipLength(now)}
          </Button>
        </div>
      ) : (
        <CommentForm
          label={`Your note at ${formatClipLength(moment)}`}
          feedback={feedback}
          place={{ output_id: id, at_seconds: moment }}
          onClose={() => setMoment(null)}
        />
      )}
    </li>
  );
}

/** Samples appear one by one while they are made. An operator may change them while they await approval. */
const REFRESH_MS: Partial<Record<GuestView["state"], number>> = { making: 5_000, waiting: 30_000 };

type Shown = { view: GuestView | null; hasChanged: boolean };

type GuestState = {
  view: GuestView | null;
  /** Other samples have replaced those shown since the guest's last comment. */
  hasChanged: boolean;
  error: string | null;
  /** Shows the response to a comment or an approval. */
  setView: (view: GuestView) => void;
  refresh: () => Promise<void>;
};

/** Refetches while samples are made or await approval, and when the page becomes visible or focused. */
function useGuestView(): GuestState {
  const [{ view, hasChanged }, setShown] = useState<Shown>({ view: null, hasChanged: false });
  const [error, setError] = useState<string | null>(null);
  const refreshMs = view ? REFRESH_MS[view.state] : undefined;
  // A read that started before the latest response may lack the guest's comment or approval.
  const responses = useRef(0);
  const read = useCallback(async (signal?: AbortSignal) => {
    const before = responses.current;
    const isCurrent = () => responses.current === before && !signal?.aborted;
    try {
      const next = await readView(signal);
      if (!isCurrent()) return;
      setShown((shown) => ({ view: next, hasChanged: shown.hasChanged || isReplaced(shown.view, next) }));
      setError(null);
    } catch (cause) {
      if (isCurrent()) setError(cause instanceof Error ? cause.message : String(cause));
    }
  }, []);
  useEffect(() => {
    const leaving = new AbortController();
    const refresh = () => {
      if (!document.hidden) void read(leaving.signal);
    };
    refresh();
    document.addEventListener("visibilitychange", refresh);
    window.addEventListener("focus", refresh);
    return () => {
      leaving.abort();
      document.removeEventListener("visibilitychange", refresh);
      window.removeEventListener("focus", refresh);
    };
  }, [read]);
  useEffect(() => {
    if (refreshMs === undefined) return;
    const timer = setInterval(() => {
      if (!document.hidden) void read();
    }, refreshMs);
    return () => clearInterval(timer);
  }, [read, refreshMs]);
  function setView(next: GuestView) {
    responses.current += 1;
    setShown((shown) => ({ view: next, hasChanged: isReplaced(shown.view, next) }));
  }
  return { view, hasChanged, error, setView, refresh: () => read() };
}
