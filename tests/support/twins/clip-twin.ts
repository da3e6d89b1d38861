import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { type DriveTwin, startDriveTwin } from "./google-drive-twin.ts";
import { makeClip } from "../media/make-clip.ts";

/** A twin of Google Drive with one short clip, offered under as many ids as a test wants. */
export type ClipTwin = DriveTwin & {
  /** For other files of the test; goes with the twin. */
  folder: string;
  /** Offers the clip as a video of its own, named for its id. Returns its link. */
  addClip(id: string, behaviour?: Parameters<DriveTwin["add"]>[0]["behaviour"]): string;
};

/** Makes the clip, upright and of so many seconds, and starts the twin; close it in the end. */
export async function startClipTwin(seconds: number): Promise<ClipTwin> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(path.join(os.tmpdir(), "clipmill-e2e-"));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const clip = path.join(folder, "clip.mp4");
  await makeClip(clip, { width: 180, height: 320, seconds });
  const twin = await startDriveTwin();
  stack.defer(() => twin.close());
  const running = stack.move();
  return {
    ...twin,
    folder,
    addClip(id, behaviour = { kind: "normal" }) {
      twin.add({ id, path: clip, name: `${id}.mp4`, mimeType: "video/mp4", behaviour });
      return twin.links(id);
    },
    close: () => running.disposeAsync(),
  };
}
