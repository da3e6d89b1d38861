import type { Actor, ActorContext } from "../audit/write-audit.ts";
import type { Context } from "../context.ts";
import type { UploadIntake } from "../library/upload-intake.ts";
import type { LocalRoots } from "./local/local-folders.ts";

/** No account has this address. */
export const WATCHER: Actor = { id: null, email: "watch folder" };

export type WatchContext = Context & ActorContext & { uploads: UploadIntake; localRoots: LocalRoots };
