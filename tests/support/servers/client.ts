import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import type { LibraryResponse } from "#contract/calls.ts";
import { isFinal, type Job } from "#contract/jobs/jobs.ts";
import { EMAIL, PASSWORD } from "./clipmill-process.ts";

export async function signedInClient(url: string): Promise<SupabaseClient> {
  const client = createClient(url, "any key", { auth: { persistSession: false, autoRefreshToken: false } });
  const { error } = await client.auth.signInWithPassword({ email: EMAIL, password: PASSWORD });
  if (error) throw error;
  return client;
}

export async function createJob(client: SupabaseClient, request: Record<string, unknown>): Promise<Job> {
  const { data, error } = await client.functions.invoke<{ data: Job }>("jobs", {
    body: { job_name: "A job", ...request },
  });
  if (error) throw error;
  return data!.data;
}

/** Throws if the job does not exist. */
export async function readJob(client: SupabaseClient, id: string): Promise<Job> {
  const { data, error } = await client.from("jobs").select("*").eq("id", id).single();
  if (error) throw error;
  return data as Job;
}

/** `isReady` is true once the first start has generated the samples. */
export async function readLibrary(client: SupabaseClient): Promise<LibraryResponse> {
  const { data, error } = await client.functions.invoke<LibraryResponse>("library", { body: { method: "GET" } });
  if (error) throw error;
  return data!;
}

export async function hasEnded(client: SupabaseClient, id: string): Promise<boolean> {
  return isFinal((await readJob(client, id)).status);
}
