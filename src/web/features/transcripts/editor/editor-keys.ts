import type { KeyList } from "../../../ui/dialogs/keys-dialog.tsx";

export const EDITOR_KEYS: KeyList = [
  ["Space or K", "Play or pause"],
  ["J", "Back 2 seconds"],
  ["L", "Forward 2 seconds"],
  ["P", "Play from the selected word"],
  ["Left, Right", "Previous or next word"],
  ["Up, Down", "Line above or below"],
  ["Enter", "Edit the word, or keep what you typed"],
  ["Tab", "While editing: next word"],
  ["Esc", "While editing: discard what you typed"],
  ["H", "Hide or show the word"],
  ["Del", "Delete the word"],
  ["S", "Split the line before the word"],
  ["M", "Join with the line above"],
  ["F", "Find and replace"],
  ["Ctrl Z", "Undo"],
  ["Ctrl Y", "Redo"],
  ["?", "Show these shortcuts"],
];
