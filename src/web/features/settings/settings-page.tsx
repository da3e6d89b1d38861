import { Link, Outlet, useLocation } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { SETTINGS_TABS } from "../../app/routing/settings-sections.ts";
import { classNames } from "../../ui/class-names.ts";
import { Pane } from "../../ui/dialogs/pane.tsx";
import { PageHead } from "../../ui/page/page-head.tsx";
import { tabClasses, tabListClasses } from "../../ui/page/tabs.tsx";
import { usePageTitle } from "../../ui/text/page-title.ts";

/** The tabs are links, because each has an address. */
export function SettingsPage() {
  const current = useLocation({ select: ({ pathname }) => SETTINGS_TABS.find(({ to }) => to === pathname) });
  const nav = useRef<HTMLElement>(null);
  usePageTitle(current ? `Settings · ${current.label}` : null);
  useEffect(() => {
    // Phones have no room for all tabs.
    const link = nav.current?.querySelector<HTMLElement>(`[href="${current?.to}"]`);
    if (link) nav.current!.scrollLeft = link.offsetLeft - (nav.current!.clientWidth - link.offsetWidth) / 2;
  }, [current]);
  return (
    <Pane>
      <PageHead title="Settings" subtitle="Keys, defaults, workers and your account" />
      <nav
        ref={nav}
        aria-label="Settings"
        className={classNames(
          tabListClasses,
          "relative max-desk:pr-12 max-desk:[mask-image:linear-gradient(to_right,#000_calc(100%-48px),transparent)]",
        )}
      >
        {SETTINGS_TABS.map(({ to, label }) => (
          <Link key={to} to={to} className={tabClasses}>
            {label}
          </Link>
        ))}
      </nav>
      <Outlet />
    </Pane>
  );
}
