import { type Command, Option } from "commander";
import { ClipmillError } from "#contract/errors.ts";
import { UPLOAD_USES, type UploadUse } from "#contract/library.ts";
import { onServer } from "./session.ts";
import { alignColumns } from "./terminal/open-terminal.ts";
import { oneLine } from "./terminal/printable.ts";

export function addLibraryCommands(program: Command): void {
  const library = program.command("library").description("Upload files to a server's library, and list them.");

  onServer<{ use?: UploadUse }>(
    library
      .command("add <files...>")
      .description("Upload files, and print their links. Files that the library already has are not sent again.")
      .addOption(new Option("--use <use>", "what they are for (default: by the file extension)").choices(UPLOAD_USES)),
    async (session, { use }, words) => {
      const { isMediaFile, lookAtFile } = await import("./jobs/local-file.ts");
      const { checksumFiles, uploadFiles } = await import("./jobs/upload-files.ts");
      const byEnding = (file: string): UploadUse =>
        use ?? (["image", "video", "music"] as const).find((each) => isMediaFile(file, each)) ?? "video";
      const looked = await Promise.all(
        words.map(async (word) => ({ word, file: await lookAtFile(word, byEnding(word)) })),
      );
      const files = looked.map(({ word, file }) => {
        if ("fault" in file) throw new ClipmillError("invalid", `${word} ${file.fault}. Nothing was uploaded.`);
        return file;
      });
      session.whenStopped(
        "Stopped. Run the same command again to continue. Files that are already uploaded are not sent again.",
      );
      await uploadFiles(session, await checksumFiles(files), ({ path }, { file, was }) => {
        session.terminal.event({ event: "upload", path, link: file.link, was });
        session.terminal.data(file.link);
      });
    },
  );

  onServer(library.command("list").description("List the files of the library."), async ({ api, terminal }) => {
    const { listLibrary } = await import("./api/calls.ts");
    const files = await listLibrary(api);
    for (const { mediaUrl: _, thumbnailUrl: __, ...file } of files) terminal.event({ event: "library", ...file });
    const lines = files.map(({ link, kind, name }) => [link, kind, oneLine(name)]);
    for (const line of alignColumns(lines)) terminal.data(line);
  });
}
