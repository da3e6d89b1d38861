import { UploadResponse } from "#contract/calls.ts";
import { UPLOAD_USES } from "#contract/library.ts";
import { Problem } from "#contract/problems.ts";
import { jsonBody, problemResponses, refOf, type Schema } from "./parts.ts";

const DOWNLOADS: [path: string, operationId: string, summary: string, type: string][] = [
  ["/downloads/jobs/{id}", "downloadJob", "Downloads a job's zip (`download_url`).", "application/zip"],
  ["/downloads/approved/{id}", "downloadApproved", "Downloads a zip of a job's approved files.", "application/zip"],
  ["/downloads/manifests/{id}", "downloadManifest", "Downloads a job's manifest (`manifest_url`).", "application/json"],
  ["/downloads/outputs/{id}", "downloadOutput", "Downloads or plays a file (`media_url`).", "video/mp4"],
  ["/downloads/thumbnails/{id}", "downloadThumbnail", "Downloads a file's thumbnail.", "image/jpeg"],
  ["/downloads/covers/{id}", "downloadCover", "Downloads a file's cover frame (`cover_url`).", "image/jpeg"],
  [
    "/downloads/subtitles/{id}",
    "downloadSubtitles",
    "Downloads a file's subtitles (`subtitles_url`), with `format=vtt` as VTT.",
    "application/x-subrip",
  ],
  ["/downloads/sources/{id}", "downloadSource", "Plays the source of a video.", "video/*"],
  ["/downloads/transcripts/{id}", "downloadTranscribed", "Plays the source of a transcript.", "video/*"],
  ["/downloads/library/{id}", "downloadLibraryFile", "Downloads or plays a library file.", "*/*"],
  [
    "/downloads/library-thumbnails/{id}",
    "downloadLibraryThumbnail",
    "Downloads a library file's thumbnail.",
    "image/*",
  ],
];

export function describeFiles(): Record<string, unknown> {
  return {
    "/uploads": { post: UPLOAD },
    "/uploads/tus": { post: RESUMABLE_UPLOAD },
    ...(Object.fromEntries(
      DOWNLOADS.map((download) => [download[0], { get: describeDownload(...download) }]),
    ) as object),
  };
}

const UPLOAD = {
  operationId: "upload",
  tags: ["Files"],
  summary: "Adds a file to the library. The body is the file.",
  description:
    "At most 2 GB; an image (PNG or WebP, not animated) at most 10 MB and 4,096 x 4,096 pixels. If the library already has a file with this content, returns that file. With an Idempotency-Key, a repeated upload of the same name, use and size returns the first response.",
  "x-scope": "library",
  parameters: [
    { name: "name", in: "query", description: "The file's name.", schema: { type: "string", maxLength: 1_000 } },
    { name: "use", in: "query", schema: { enum: [...UPLOAD_USES], default: "video" } },
    { name: "Idempotency-Key", in: "header", schema: { type: "string", minLength: 1, maxLength: 200 } },
  ],
  requestBody: { required: true, content: { "application/octet-stream": {} } },
  responses: {
    200: { description: "Success.", content: jsonBody(refOf(UploadResponse)) },
    ...problemResponses(true),
  },
};

const RESUMABLE_UPLOAD = {
  operationId: "startUpload",
  tags: ["Files"],
  summary: "Starts a resumable upload, using the tus protocol 1.0.0 (https://tus.io).",
  description:
    "Send the file to the response's `Location` in one or more PATCH requests; HEAD returns how much has arrived, DELETE cancels it, and GET returns the library file once it is complete. An upload expires after 24 hours.",
  "x-scope": "library",
  parameters: [
    { name: "Tus-Resumable", in: "header", required: true, schema: { const: "1.0.0" } },
    { name: "Upload-Length", in: "header", required: true, schema: { type: "integer", minimum: 0 } },
    {
      name: "Upload-Metadata",
      in: "header",
      description: "`name` and `use` (video, music or image) in Base64, as in `name YS5tcDQ=,use dmlkZW8=`.",
      schema: { type: "string" },
    },
  ],
  responses: { 201: { description: "Started." }, ...problemResponses(true) },
};

function describeDownload(_path: string, operationId: string, summary: string, type: string): Schema {
  const query = ["expires", "signature"].map((name) => ({
    name,
    in: "query",
    required: true,
    description: "Part of the signed link.",
    schema: { type: "string" },
  }));
  return {
    operationId,
    tags: ["Files"],
    summary,
    description:
      "Use the whole link from a row or response. It is valid for a day, needs no token, and supports ranges.",
    security: [],
    parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }, ...query],
    responses: {
      200: { description: "The file.", content: { [type]: {} } },
      206: { description: "The requested range.", content: { [type]: {} } },
      403: { description: "The link is no longer valid.", content: jsonBody(refOf(Problem)) },
      404: { description: "The file was deleted.", content: jsonBody(refOf(Problem)) },
    },
  };
}
