import type { GuestView } from "#contract/guests/guests.ts";
import { formatShortDate } from "../../jobs/time/short-date.ts";
import { Logo } from "../../ui/page/logo.tsx";
import { ErrorBox } from "../../ui/states/error-box.tsx";
import { ErrorState } from "../../ui/states/error-state.tsx";
import { Skeleton } from "../../ui/states/skeleton.tsx";
import { Feedback, type FeedbackProps } from "./feedback.tsx";
import { SampleCard } from "./sample-card.tsx";
import { useGuestView } from "./use-guest-view.ts";

export function GuestPage() {
  const { view, hasChanged, error, setView, refresh } = useGuestView();
  return (
    <main className="mx-auto grid min-h-dvh w-full max-w-270 grid-rows-[auto_1fr] p-(--gutter)">
      <div className="px-2 py-3 text-ink">
        <Logo />
      </div>
      <div className="min-w-0 rounded-3 border border-line bg-pane">
        {view ? (
          <Samples view={view} hasChanged={hasChanged} error={error} onChange={setView} onRefused={refresh} />
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

function Samples({ view, error, ...feedback }: FeedbackProps & { error: string | null }) {
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
          className="grid grid-cols-[repeat(auto-fill,minmax(180px,1fr))] gap-4 border-t border-line p-6 max-desk:grid-cols-2 max-desk:gap-3 max-desk:p-4"
        >
          {view.samples.map((sample) => (
            <SampleCard key={sample.id} sample={sample} />
          ))}
        </ul>
      )}
      <Feedback view={view} {...feedback} />
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
