import { useQuery } from "@tanstack/react-query";
import { ExternalLink } from "lucide-react";
import { type ReactNode, useLayoutEffect, useState } from "react";
import type { EmbeddedPages } from "#contract/calls.ts";
import { embeddedPagesKey, readEmbeddedPages } from "../../api/functions/settings/settings.ts";
import { sectionLink } from "../../app/routing/settings-sections.ts";
import { buttonClasses } from "../../ui/buttons/button-classes.ts";
import { LinkButton } from "../../ui/buttons/link-button.tsx";
import { Pane } from "../../ui/dialogs/pane.tsx";
import { Icon } from "../../ui/page/icon.tsx";
import { PageHead } from "../../ui/page/page-head.tsx";
import { EmptyState } from "../../ui/states/empty-state.tsx";
import { ErrorState } from "../../ui/states/error-state.tsx";
import { Skeleton } from "../../ui/states/skeleton.tsx";

export function BatchSchedulerPage() {
  return (
    <EmbeddedPage
      page="batchScheduler"
      title="Batch Scheduler"
      subtitle="Plan when your batches are posted"
      purpose="This screen shows the page where you plan your posts, such as a shared spreadsheet or a scheduling tool."
    />
  );
}

export function WarmupRobotPage() {
  return (
    <EmbeddedPage
      page="warmupRobot"
      title="Warmup Robot"
      subtitle="Automate your account warmup and engagement processes"
      purpose="This screen shows the control page of your account warmup tool, so you can start and monitor the tool from Clipmill."
    />
  );
}

/** The page keeps its own origin (never Clipmill's) so that its sign-in works. It must not navigate the top window. */
const SANDBOX =
  "allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-downloads";

type EmbeddedPageProps = {
  page: keyof EmbeddedPages;
  title: string;
  subtitle: string;
  /** Shown until an address is set. */
  purpose: string;
};

function EmbeddedPage({ page, title, subtitle, purpose }: EmbeddedPageProps) {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: embeddedPagesKey,
    queryFn: readEmbeddedPages,
  });
  const address = data?.[page] ?? null;
  return (
    <Pane className="flex min-h-[calc(100dvh-var(--h-top))] flex-col desk:min-h-[calc(100dvh-var(--h-top)-var(--gutter))]">
      <PageHead title={title} subtitle={subtitle}>
        {address !== null && (
          <a href={address} target="_blank" rel="noopener noreferrer" className={buttonClasses({})}>
            <Icon icon={ExternalLink} />
            Open in new tab
          </a>
        )}
      </PageHead>
      {error ? (
        <ErrorState
          title={`${title} couldn't be loaded`}
          text={error.message}
          isRetrying={isFetching}
          onRetry={() => void refetch()}
        />
      ) : (
        <PageContent isKnown={data !== undefined} address={address} title={title} purpose={purpose} />
      )}
    </Pane>
  );
}

function PageContent({
  isKnown,
  address,
  title,
  purpose,
}: {
  isKnown: boolean;
  address: string | null;
  title: string;
  purpose: string;
}) {
  if (!isKnown) return <FrameSkeleton title={title} />;
  if (address === null) {
    return (
      <EmptyState
        title={`${title} is not set up yet`}
        text={purpose}
        action={<LinkButton {...sectionLink("embedded-pages")}>Set the address in Settings</LinkButton>}
      />
    );
  }
  // The server rejects its own addresses but cannot know every proxy hostname.
  if (new URL(address).origin === location.origin) {
    return (
      <ErrorState
        title={`${title} cannot be shown`}
        text="This address points to Clipmill itself. Set the address of another site in Settings."
      />
    );
  }
  return <Frame address={address} title={title} />;
}

function Frame({ address, title }: { address: string; title: string }) {
  const [isLoaded, setIsLoaded] = useState(false);
  useReloadWhenBlocked(address);
  return (
    <>
      <div className="relative flex min-h-[60dvh] flex-1 border-y border-line" aria-busy={!isLoaded}>
        <iframe
          src={address}
          title={title}
          sandbox={SANDBOX}
          referrerPolicy="no-referrer"
          className="w-full flex-1"
          onLoad={() => setIsLoaded(true)}
        />
        {!isLoaded && <FrameCover>Loading the page...</FrameCover>}
      </div>
      <p className="px-6 py-2.5 text-12 text-ink-3 max-desk:px-4">
        Nothing here? Some sites can't be embedded. Open the page in a new tab.
      </p>
    </>
  );
}

function FrameSkeleton({ title }: { title: string }) {
  return (
    <output aria-busy aria-label={`Loading ${title}`} className="flex flex-1 px-6 pb-6 max-desk:px-4">
      <Skeleton className="min-h-[60dvh] flex-1" />
    </output>
  );
}

function FrameCover({ children }: { children: ReactNode }) {
  return <p className="absolute inset-0 grid place-items-center bg-pane text-ink-3">{children}</p>;
}

const KEY = "clipmill-reloaded-for";
/** If blocked again this soon, an outdated page is not the cause. */
const SOON_MS = 10_000;

/** Reloads if the browser does not frame `address`: allowed sites are fixed at page load, and it may be newer. */
function useReloadWhenBlocked(address: string): void {
  useLayoutEffect(() => {
    const stop = new AbortController();
    document.addEventListener(
      "securitypolicyviolation",
      ({ effectiveDirective }) => {
        if (effectiveDirective !== "frame-src") return;
        const [before, at] = (sessionStorage.getItem(KEY) ?? "").split(" ");
        if (before === encodeURI(address) && Date.now() - Number(at) < SOON_MS) return;
        sessionStorage.setItem(KEY, `${encodeURI(address)} ${Date.now()}`);
        location.reload();
      },
      stop,
    );
    return () => stop.abort();
  }, [address]);
}
