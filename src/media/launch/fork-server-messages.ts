import type { Program, ProgramEnd } from "./start-program.ts";

export type Request =
  | { kind: "start"; id: number; program: Program }
  | { kind: "kill"; id: number; signal: NodeJS.Signals };

/** One "started" at most, and exactly one "ended", also if the program could not be started. */
export type Reply = { kind: "started"; id: number; pid: number } | { kind: "ended"; id: number; end: ProgramEnd };

/** Starts an output's connection: the program's id and the output's number, as 32-bit little-endian numbers. */
export const OUTPUT_LABEL_BYTES = 8;
export const ACCEPTED = Buffer.of(1);
