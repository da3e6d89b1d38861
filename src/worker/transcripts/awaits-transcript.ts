import { ClipmillError } from "#contract/errors.ts";

/** The video waits, without using an attempt, until its speech is transcribed. */
export class AwaitsTranscript extends ClipmillError {
  constructor() {
    super("unavailable", "The speech of this video is being transcribed.");
    this.name = "AwaitsTranscript";
  }
}

/** After this, the video checks by itself. Usually, the end of the transcription wakes it. */
export const TRANSCRIPT_WAIT_SECONDS = 60;
