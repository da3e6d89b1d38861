import { Link } from "@tanstack/react-router";
import { LogOut } from "lucide-react";
import { signOut } from "../../api/connection/session.ts";
import type { ReactNode } from "react";
import { Icon } from "../../ui/page/icon.tsx";
import { Logo } from "../../ui/page/logo.tsx";
import { Mark } from "../../ui/page/mark.tsx";
import { tooltipWhenCut } from "../../ui/page/tooltip.ts";
import { type NavigationItem, GROUPS, SETTINGS } from "../routing/navigation.ts";
import { paths } from "../routing/paths.ts";

/** "auto" shows only icons between 761 and 1180 px; "drawer" has labels and larger targets. */
export function Sidebar({ kind, onNavigate }: { kind: "auto" | "drawer"; onNavigate?: (() => void) | undefined }) {
  const isDrawer = kind === "drawer";
  return (
    <div className="flex h-full flex-col overflow-y-auto px-2 pb-2">
      <Link
        to={paths.dashboard}
        aria-label="Clipmill"
        className="flex h-(--h-top) shrink-0 items-center rounded-2 pl-2.5 text-ink"
        onClick={onNavigate}
      >
        {isDrawer ? <Logo /> : <AdaptiveLogo />}
      </Link>
      <nav aria-label="Main" className="grid">
        {GROUPS.map((group) => (
          <NavGroup key={group.name} name={group.name} isDrawer={isDrawer}>
            {group.items.map((item) => (
              <NavLink key={item.to} {...item} isDrawer={isDrawer} onNavigate={onNavigate} />
            ))}
          </NavGroup>
        ))}
      </nav>
      <div className="mt-auto grid pt-3">
        <NavLink {...SETTINGS} isDrawer={isDrawer} onNavigate={onNavigate} />
        <button type="button" {...tooltipWhenCut("Sign Out")} className={itemClasses(isDrawer)} onClick={handleSignOut}>
          <Icon icon={LogOut} className="shrink-0 text-ink-3" />
          <span className={labelClasses(isDrawer)}>Sign Out</span>
        </button>
      </div>
    </div>
  );
}

function handleSignOut() {
  void signOut();
}

function AdaptiveLogo() {
  return (
    <>
      <span className="max-wide:hidden">
        <Logo />
      </span>
      <Mark className="hidden size-5 max-wide:block" />
    </>
  );
}

function NavGroup({ name, isDrawer, children }: { name: string; isDrawer: boolean; children: ReactNode }) {
  return (
    <section aria-label={name} className="grid">
      <h2
        className={`px-2.5 pt-3 pb-1 text-11 font-medium text-ink-3 ${isDrawer ? "" : "max-wide:invisible max-wide:h-3 max-wide:p-0"}`}
      >
        {name}
      </h2>
      {children}
    </section>
  );
}

function NavLink({
  label,
  to,
  icon,
  isDrawer,
  onNavigate,
}: NavigationItem & { isDrawer: boolean; onNavigate: (() => void) | undefined }) {
  return (
    <Link
      to={to}
      activeOptions={{ exact: to === paths.dashboard }}
      {...tooltipWhenCut(label)}
      className={itemClasses(isDrawer)}
      onClick={onNavigate}
    >
      <Icon icon={icon} className="shrink-0 text-ink-3 group-aria-[current=page]:text-ink" />
      <span className={labelClasses(isDrawer)}>{label}</span>
    </Link>
  );
}

function itemClasses(isDrawer: boolean): string {
  const base =
    "group flex w-full items-center gap-2.5 rounded-2 px-2.5 text-left font-medium text-ink-2 transition-colors hover:bg-raised hover:text-ink aria-[current=page]:bg-nav-on aria-[current=page]:text-ink focus-visible:-outline-offset-2";
  return isDrawer ? `${base} h-11 text-14` : `${base} h-8 max-wide:justify-center max-wide:gap-0 max-wide:px-0`;
}

/** Hides an icon's label visually. It counts as truncated, so the tooltip shows it. */
function labelClasses(isDrawer: boolean): string {
  return isDrawer ? "truncate" : "truncate max-wide:sr-only";
}
