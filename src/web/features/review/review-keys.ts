import type { KeyList } from "../../ui/dialogs/keys-dialog.tsx";

export const REVIEW_KEYS: KeyList = [
  ["A", "Approve and continue"],
  ["R", "Reject with a reason"],
  ["Shift R", "Reject with the last reason"],
  ["U", "Undo"],
  ["Left", "Previous file"],
  ["Right", "Next file"],
  ["Space", "Play or pause"],
  [",", "Previous frame"],
  [".", "Next frame"],
  ["M", "Turn the sound on or off"],
  ["V", "Show all variants side by side"],
  ["C", "Compare with another variant or the source"],
  ["S", "Show safe areas"],
  ["?", "Show these shortcuts"],
];
