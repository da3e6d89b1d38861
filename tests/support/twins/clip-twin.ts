import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { type DriveTwin, startDriveTwin } from "./google-drive/google-drive-twin.ts";
import { makeClip } from "../media/make-clip.ts";

export type ClipTwin = DriveTwin & {
  folder: string;
  addClip(id: string, behaviour?: Parameters<DriveTwin["add"]>[0]["behaviour"]): string;
};

/** Serves one generated vertical clip under any number of ids. The caller must close the twin. */
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
