import { Moon, Sun } from "lucide-react";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import { useTheme } from "./theme.ts";

export function ThemeToggle() {
  const [theme, chooseTheme] = useTheme();
  return theme === "dark" ? (
    <IconButton icon={Sun} label="Switch to light theme" onClick={() => chooseTheme("light")} />
  ) : (
    <IconButton icon={Moon} label="Switch to dark theme" onClick={() => chooseTheme("dark")} />
  );
}
