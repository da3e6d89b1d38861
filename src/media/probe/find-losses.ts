/** Finds what is missing from a stream whose packets were lost on the way, as in a recorded transmission. Pure. */

/** A stretch of a stream that is missing or damaged, in seconds. */
export type Loss = { fromSeconds: number; toSeconds: number };

/** A packet's times in seconds; NaN for a time that the file does not state. */
export type TimedPacket = {
  isKey: boolean;
  /** The demuxer noticed a loss in this packet, or after it. */
  isCorrupt: boolean;
  decoding: number;
  duration: number;
};

export type StreamLosses = {
  /** Where packets are missing. */
  gaps: Loss[];
  /** Gaps that nothing else shows to be losses: the rate may vary, or the stream pause. */
  otherGaps: Loss[];
  /** Packets that are damaged themselves. */
  damaged: Loss[];
};

/** A parser may divide what is lost from the packet marked for it. */
const MARK_PACKETS = 3;
/** Recordings that are joined leave less between them. */
const SEAM_SECONDS = 0.1;
/** Bounds the memory of a file. */
const MOST_LOSSES = 10_000;

/** Returns a reader of a stream's packets in the order of decoding. What comes before the first intact keyframe is not a loss. */
export function createLossFinder(): { note(packet: TimedPacket): void; losses(): StreamLosses } {
  const marked: Loss[] = [];
  const unmarked: Loss[] = [];
  const damaged: Loss[] = [];
  let previous: TimedPacket | null = null;
  let mark: { packet: TimedPacket; packetsLeft: number; isAtSeam: boolean } | null = null;
  const add = (list: Loss[], fromSeconds: number, toSeconds: number): void => {
    if (list.length < MOST_LOSSES) list.push({ fromSeconds, toSeconds });
  };
  const addDamaged = ({ decoding, duration }: TimedPacket): void => add(damaged, decoding, decoding + duration);

  return {
    note(packet) {
      if (previous === null) {
        if (packet.isKey && !packet.isCorrupt) previous = packet;
        return;
      }
      const expected = previous.decoding + previous.duration;
      const missing = packet.decoding - expected;
      const hasGap = missing > previous.duration / 2;
      const isWholePackets = Math.abs(missing / previous.duration - Math.round(missing / previous.duration)) < 0.1;
      // recordings that are joined begin with a keyframe, at any time
      const isSeam = packet.isKey && missing < SEAM_SECONDS && (hasGap ? !isWholePackets : !previous.isKey);
      if (mark) mark.isAtSeam ||= isSeam;
      if (hasGap && !isSeam) {
        add(mark ? marked : unmarked, expected, packet.decoding);
        mark = null;
      } else if (mark && --mark.packetsLeft === 0) {
        // the last packet of a recording is marked because the counter of the next one differs
        if (!mark.isAtSeam) addDamaged(mark.packet);
        mark = null;
      }
      if (packet.isCorrupt) {
        if (mark && !mark.isAtSeam) addDamaged(mark.packet);
        mark = { packet, packetsLeft: MARK_PACKETS, isAtSeam: false };
      }
      previous = packet;
    },
    losses() {
      // one loss in sixteen is not noticed by its counter; other gaps are those of a varying rate
      const isLossy = marked.length > 2 * unmarked.length;
      return { gaps: [...marked, ...(isLossy ? unmarked : [])], otherGaps: isLossy ? [] : unmarked, damaged };
    },
  };
}

/** Streams are sent beside each other by up to this. */
const NEAR_SECONDS = 1;

/** Returns a sound's losses: the demuxer does not mark those between its packets, but the picture is lost there as well. */
export function findSoundLosses(sound: StreamLosses, picture: StreamLosses | undefined): Loss[] {
  const isLost = ({ fromSeconds, toSeconds }: Loss): boolean =>
    picture?.gaps.some(
      (gap) => fromSeconds < gap.toSeconds + NEAR_SECONDS && toSeconds > gap.fromSeconds - NEAR_SECONDS,
    ) ?? false;
  return [...sound.gaps, ...sound.otherGaps.filter(isLost)];
}

/** Returns the seconds of losses within a stretch. */
export function lostSecondsWithin(losses: readonly Loss[], { fromSeconds, toSeconds }: Loss): number {
  return losses.reduce(
    (sum, loss) => sum + Math.max(0, Math.min(loss.toSeconds, toSeconds) - Math.max(loss.fromSeconds, fromSeconds)),
    0,
  );
}
