import { Outlet, useMatches } from "@tanstack/react-router";
import { Menu, Unplug } from "lucide-react";
import { Suspense, useEffect, useState } from "react";
import { useIsInterrupted } from "../../api/connection/interruptions.ts";
import { JobNotifications } from "../../jobs/notifications/job-notifications.tsx";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import { lazyPart } from "../../ui/page/lazy-part.ts";
import { StatusBadge } from "../../ui/states/status-badge.tsx";
import { useChosenTitle } from "../../ui/text/page-title.ts";
import { Palette } from "../palette/palette.tsx";
import { ThemeToggle } from "../theme/theme-toggle.tsx";
import { Sidebar } from "./sidebar.tsx";

const Drawer = lazyPart(() => import("./drawer.tsx"));

export function Shell() {
  const isAlone = useMatches({ select: (matches) => matches.at(-1)?.staticData.isAlone ?? false });
  return isAlone ? <Outlet /> : <ScreensShell />;
}

function ScreensShell() {
  const [isOpen, setIsOpen] = useState(false);
  // Stays mounted to slide out.
  const [wasOpened, setWasOpened] = useState(false);
  const title = useRouteTitle();
  const chosenTitle = useChosenTitle();

  function openDrawer() {
    setIsOpen(true);
    setWasOpened(true);
  }
  return (
    <div className="min-h-dvh desk:grid desk:grid-cols-[56px_minmax(0,1fr)] wide:grid-cols-[var(--w-side)_minmax(0,1fr)]">
      <title>{`${chosenTitle ?? title} · Clipmill`}</title>
      <JobNotifications />
      <a
        href="#screen"
        className="absolute top-2 left-2 z-10 -translate-y-16 rounded-2 bg-overlay px-3 py-1.5 font-medium text-ink focus-visible:translate-y-0"
      >
        Skip to content
      </a>
      <aside aria-label="Sidebar" className="sticky top-0 h-dvh max-desk:hidden">
        <Sidebar kind="auto" />
      </aside>
      <div className="min-w-0">
        <header className="sticky top-0 z-[5] flex h-(--h-top) items-center gap-2 bg-frame pr-2 pl-[25px] max-desk:border-b max-desk:border-line max-desk:px-2">
          <IconButton icon={Menu} label="Open menu" className="desk:hidden" onClick={openDrawer} />
          <p className="min-w-0 flex-1 truncate font-medium text-ink max-desk:text-14 max-desk:font-semibold">
            {title}
          </p>
          <ConnectionNotice />
          <Palette />
          <ThemeToggle />
        </header>
        <main
          id="screen"
          tabIndex={-1}
          className="min-h-[calc(100dvh-var(--h-top))] outline-none desk:flex desk:items-start desk:gap-(--gutter) desk:pr-(--gutter) desk:pb-(--gutter)"
        >
          <Outlet />
        </main>
      </div>
      <Suspense>{wasOpened && <Drawer isOpen={isOpen} onClose={() => setIsOpen(false)} />}</Suspense>
    </div>
  );
}

/** "Dashboard" for paths without a title, per the specification. */
function useRouteTitle(): string {
  return useMatches({ select: (matches) => matches.at(-1)?.staticData.title ?? "Dashboard" });
}

const SHOW_AFTER_MS = 2_000;

function ConnectionNotice() {
  const isInterrupted = useIsInterrupted();
  const [isShown, setIsShown] = useState(false);
  useEffect(() => {
    if (!isInterrupted) return undefined;
    const timer = setTimeout(setIsShown, SHOW_AFTER_MS, true);
    return () => {
      clearTimeout(timer);
      setIsShown(false);
    };
  }, [isInterrupted]);
  return (
    <output className="flex">
      {isShown && <StatusBadge tone="warning" icon={Unplug} label="Reconnecting..." isInline />}
    </output>
  );
}
