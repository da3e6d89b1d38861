import { useNavigate } from "@tanstack/react-router";
import { Suspense, useEffect, useEffectEvent, useState } from "react";
import { signOut } from "../../api/connection/session.ts";
import { PASSWORD_HASH, paths } from "../routing/paths.ts";
import { useTheme } from "../theme/theme.ts";
import { FindButton } from "./find-button.tsx";
import type { GlobalAction } from "./palette-items.ts";
import { listenForShortcuts, type ShortcutAction } from "./shortcuts.ts";
import { lazyPart } from "../../ui/page/lazy-part.ts";

const PaletteDialog = lazyPart(() => import("./palette-dialog.tsx"));
const ShortcutsDialog = lazyPart(() => import("./shortcuts-dialog.tsx"));

export function Palette() {
  const navigate = useNavigate();
  const [theme, chooseTheme] = useTheme();
  const [shown, setShown] = useState<"palette" | "shortcuts" | null>(null);
  // Stays mounted to fade out and restore focus.
  const [opened, setOpened] = useState({ palette: false, shortcuts: false });

  function show(what: "palette" | "shortcuts") {
    setOpened((before) => ({ ...before, [what]: true }));
    setShown(what);
  }
  function close() {
    setShown(null);
  }
  const handleShortcut = useEffectEvent((act: ShortcutAction) => {
    if (act === "palette") show("palette");
    else if (act === "help") show("shortcuts");
    else if (act === "search") document.querySelector<HTMLInputElement>("#screen input[type=search]")?.focus();
    else void navigate(act);
  });
  useEffect(() => listenForShortcuts(handleShortcut), []);

  function handleAct(act: GlobalAction) {
    close();
    if (act === "shortcuts") show("shortcuts");
    else if (act === "theme") chooseTheme(theme === "dark" ? "light" : "dark");
    else if (act === "password") void navigate({ to: paths.settings, hash: PASSWORD_HASH });
    else if (act === "sign-out") void signOut();
    else if (act === "new-job") void navigate({ to: paths.createJob });
    else if ("jobId" in act) void navigate({ to: paths.job, params: act });
    else void navigate(act);
  }
  return (
    <>
      <FindButton onClick={() => show("palette")} />
      <Suspense>
        {opened.palette && <PaletteDialog isOpen={shown === "palette"} onClose={close} onAct={handleAct} />}
        {opened.shortcuts && <ShortcutsDialog isOpen={shown === "shortcuts"} onClose={close} />}
      </Suspense>
    </>
  );
}
