import { useNavigate } from "@tanstack/react-router";
import { Search } from "lucide-react";
import { Suspense, useEffect, useEffectEvent, useState } from "react";
import { signOut } from "../../api/connection/session.ts";
import { Icon } from "../../ui/page/icon.tsx";
import { lazyPart } from "../../ui/page/lazy-part.ts";
import { paths } from "../routing/paths.ts";
import { sectionLink } from "../routing/settings-sections.ts";
import { useTheme } from "../theme/theme.ts";
import type { GlobalAction } from "./palette-items.ts";
import { listenForShortcuts, PALETTE_KEYS, type ShortcutAction } from "./shortcuts.ts";

const PaletteDialog = lazyPart(() => import("./palette-dialog.tsx"));
const ShortcutsDialog = lazyPart(() => import("./shortcuts-dialog.tsx"));

export function Palette() {
  const navigate = useNavigate();
  const [theme, chooseTheme] = useTheme();
  const [shown, setShown] = useState<"palette" | "shortcuts" | null>(null);
  // Stays mounted to fade out and restore focus.
  const [openings, setOpenings] = useState({ palette: 0, shortcuts: 0 });

  function show(what: "palette" | "shortcuts") {
    setOpenings((before) => ({ ...before, [what]: before[what] + 1 }));
    setShown(what);
  }
  function close() {
    setShown(null);
  }
  const handleShortcut = useEffectEvent((act: ShortcutAction) => {
    if (act === "palette") show("palette");
    else if (act === "help") show("shortcuts");
    else if (act === "search") document.querySelector<HTMLInputElement>("#screen input[type=search]")?.focus();
    else if ("click" in act) act.click.click();
    else if ("focus" in act) act.focus.focus();
    else void navigate(act);
  });
  useEffect(() => listenForShortcuts(handleShortcut), []);

  function handleAct(act: GlobalAction) {
    close();
    if (act === "shortcuts") show("shortcuts");
    else if (act === "theme") chooseTheme(theme === "dark" ? "light" : "dark");
    else if (act === "sign-out") void signOut();
    else if (act === "new-job") void navigate({ to: paths.createJob });
    else if ("jobId" in act) void navigate({ to: paths.job, params: act });
    else if ("settings" in act) void navigate(sectionLink(act.settings));
    else void navigate(act);
  }
  return (
    <>
      <FindButton onClick={() => show("palette")} />
      <Suspense>
        {openings.palette > 0 && (
          <PaletteDialog opening={openings.palette} isOpen={shown === "palette"} onClose={close} onAct={handleAct} />
        )}
        {openings.shortcuts > 0 && <ShortcutsDialog isOpen={shown === "shortcuts"} onClose={close} />}
      </Suspense>
    </>
  );
}

function FindButton({ onClick }: { onClick: () => void }) {
  return (
    <button
      type="button"
      aria-keyshortcuts="Control+K Meta+K"
      className="flex h-[30px] w-[264px] items-center gap-2 rounded-2 border border-line-strong pr-1.5 pl-2.5 text-ink-3 transition-colors hover:text-ink max-wide:w-52 max-desk:size-11 max-desk:justify-center max-desk:border-0 max-desk:p-0"
      onClick={onClick}
    >
      <Icon icon={Search} className="shrink-0" />
      <span className="truncate max-desk:sr-only">Find a job, set or page</span>
      <kbd
        aria-hidden
        className="ml-auto rounded-1 border border-line-strong px-[5px] font-sans text-11 font-medium whitespace-nowrap max-desk:hidden"
      >
        {PALETTE_KEYS}
      </kbd>
    </button>
  );
}
