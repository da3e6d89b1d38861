import { createJob, hasEnded, signedInClient } from "#tests/support/servers/client.ts";
import { addTranscript } from "#tests/support/jobs/add-transcript.ts";
import type { LibraryFile } from "#contract/calls.ts";
import type { TranscriptLine, TranscriptWord } from "#contract/transcripts/transcripts.ts";
import type { Clipmill } from "#programs/start/start-clipmill.ts";
import { seedJobs } from "./seed-jobs.ts";

const CAPTION_SETS = [
  [
    "Summer openers",
    ["Wait for the pour at the end", "Save this for your next early shift", "POV: the barista knows your order"],
  ],
  ["Gym hooks, week 47", ["Three moves, no equipment", "Do this before coffee"]],
  ["عناوين المطعم", ["شاهد حتى النهاية", "الوصفة في التعليقات"]],
  [
    "Hotel walkthroughs, long captions for the harbour rooms that nobody ever cuts short",
    ["Room 12 🌊", "Breakfast with a view"],
  ],
] as const;

/** For the first sample clips. */
const LIBRARY_TAGS = [["Summer", "B roll", "Harbor & Oak"], ["Summer"], ["Night"]];

const ROUTES = [
  ["go.harborandoak.com", "spring", "https://shop.harborandoak.com/collections/spring-drop", null],
  ["go.harborandoak.com", "__root__", "https://harborandoak.com", null],
  [
    "deals.northlinefit.co",
    "trial-7",
    "https://northlinefit.co/join/seven-day-trial?utm_source=reels",
    "https://northlinefit.co",
  ],
  ["links.staymarlow.com", "suite", "https://book.staymarlow.com/suites/harbor-view", null],
] as const;

/** Fills an empty installation. Returns the ids of the rendered job and of a transcript that it uses. */
export async function seedEverything(clipmill: Clipmill): Promise<{ jobId: string; transcriptId: string }> {
  await seedJobs(clipmill.context);
  const client = await signedInClient(clipmill.url);
  for (const [name, captions] of CAPTION_SETS) {
    await client.from("caption_sets").insert({ name, captions }).throwOnError();
  }
  const samples = await readSamples(client);
  for (const [place, tags] of LIBRARY_TAGS.entries()) {
    await client.functions.invoke("library", { body: { method: "PATCH", id: samples[place]!.id, tags } });
  }
  const tracks = samples.filter(({ kind }) => kind === "audio").map(({ link }) => link);
  await client.from("audio_sets").insert({ name: "House music, 120 bpm", audio_links: tracks }).throwOnError();
  await addRoutes(client);
  const { id } = await createJob(client, {
    job_name: "Harbour teaser, four hooks",
    input_videos: samples.filter(({ kind }) => kind === "video").map(({ link }) => link),
    captions_enabled: true,
    custom_captions: CAPTION_SETS[0][1],
    variants_per_video: 3,
    watermark_enabled: true,
    watermark_text: "@harborandoak",
  });
  while (!(await hasEnded(client, id))) await pause();
  return { jobId: id, transcriptId: await seedTranscript(clipmill, id) };
}

async function seedTranscript({ context: { db } }: Clipmill, jobId: string): Promise<string> {
  const videos = db.selectFrom("job_videos").select(["id", "link", "name"]).where("job_id", "=", jobId);
  const { id, link, name } = await videos.orderBy("position").executeTakeFirstOrThrow();
  return await addTranscript(db, { lines: talk(), videoId: id, link, name: name ?? "talk.mp4" });
}

const TALK = [
  "(Um,) good morning from the harbor.",
  "Today we open the shutters of Room 12, and (uh) you get the whole pier? for breakfast.",
  "Everything here is made by Marlow? and Daughters, two streets away.",
  "Wait for the pour at the end.",
  "First the beans: forty grams, (er) freshly ground, not the bag from last week.",
  "Then water just off the boil, in a slow circle.",
  "You can hear it bloom.",
  "If you are in a hurry, this is not your coffee.",
  "The second pour takes a minute, and the third one is for the smell.",
  "(Mm.)",
  "Save this for your next early shift.",
  "We are on the second floor, past the stairs with the blue tiles, open from six until the last loaf is gone, and on Sundays a little longer.",
  "See you at the harbor.",
];

/** A word takes 0.3 s; hidden ones are in parentheses, and those with a question mark are unsure. */
function talk(): TranscriptLine[] {
  let at = 0.4;
  return TALK.map((text) => {
    const words = text.split(" ").map((piece, i, all): TranscriptWord => {
      const isHidden = piece.startsWith("(");
      const own = piece.replaceAll(/[()?]/g, "") + (i === all.length - 1 ? "" : " ");
      const startSeconds = Math.round(at * 1_000) / 1_000;
      at += 0.3;
      const confidence = piece.endsWith("?") ? 0.31 : 0.94;
      return { text: own, startSeconds, endSeconds: startSeconds + 0.25, confidence, hidden: isHidden };
    });
    at += 0.5;
    return { startSeconds: words[0]!.startSeconds, endSeconds: words.at(-1)!.endSeconds, words };
  });
}

type Client = Awaited<ReturnType<typeof signedInClient>>;

async function addRoutes(client: Client): Promise<void> {
  const ids = new Map<string, string>();
  for (const [domain, slug, primaryUrl, fallbackUrl] of ROUTES) {
    if (!ids.has(domain)) {
      const { data } = await client
        .from("domains")
        .insert({ name: domain, notes: null })
        .select("id")
        .single()
        .throwOnError();
      ids.set(domain, data.id);
    }
    const route = {
      domain_id: ids.get(domain),
      slug,
      primary_url: primaryUrl,
      fallback_url: fallbackUrl,
      active: true,
    };
    await client.from("routes").insert(route).throwOnError();
  }
}

/** The first start generates the sample clips in the background. */
async function readSamples(client: Client): Promise<LibraryFile[]> {
  for (;;) {
    const { data } = await client.functions.invoke<{ data: LibraryFile[]; isReady: boolean }>("library", {
      body: { method: "GET" },
    });
    if (data?.isReady) return data.data;
    await pause();
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 200));
}
