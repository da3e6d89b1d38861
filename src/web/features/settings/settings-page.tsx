import { Link, Outlet, useLocation } from "@tanstack/react-router";
import { SETTINGS_TABS } from "../../app/routing/settings-sections.ts";
import { Pane } from "../../ui/dialogs/pane.tsx";
import { PageHead } from "../../ui/page/page-head.tsx";
import { tabClasses, tabListClasses } from "../../ui/page/tabs.tsx";
import { usePageTitle } from "../../ui/text/page-title.ts";

/** Tabs with addresses of their own are links, not ARIA tabs. */
export function SettingsPage() {
  const current = useLocation({ select: ({ pathname }) => SETTINGS_TABS.find(({ to }) => to === pathname) });
  usePageTitle(current ? `Settings · ${current.label}` : null);
  return (
    <Pane>
      <PageHead title="Settings" subtitle="Keys, defaults, workers and your account" />
      <nav aria-label="Settings" className={tabListClasses}>
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
