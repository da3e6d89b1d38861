import { useEffect, useState, useSyncExternalStore } from "react";
import { createSyncedPlayer, type PlayerState, type SyncedPlayer } from "./synced-player.ts";

export function useSyncedPlayer(): SyncedPlayer {
  const [player] = useState(createSyncedPlayer);
  useEffect(() => player.stop, [player]);
  return player;
}

export function usePlayerState(player: SyncedPlayer): PlayerState {
  return useSyncExternalStore(player.subscribe, player.read);
}
