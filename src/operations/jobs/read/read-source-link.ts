import type { SourceLinkResponse } from "#contract/calls.ts";
import { ClipmillError } from "#contract/errors.ts";
import type { Context } from "../../context.ts";

/** Returns a signed link. Throws ClipmillError "not_found". */
export async function readSourceLink(
  context: Pick<Context, "db" | "links">,
  videoId: string,
): Promise<SourceLinkResponse> {
  const video = await context.db.selectFrom("job_videos").select("id").where("id", "=", videoId).executeTakeFirst();
  if (!video) throw new ClipmillError("not_found", "The video does not exist.");
  return { url: context.links.sign(`/downloads/sources/${video.id}`) };
}
