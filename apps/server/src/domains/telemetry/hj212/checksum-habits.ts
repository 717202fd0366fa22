import type { CrcMode } from '@zhugong/contract/protocols/hj212'

/** Frames in a row that fit the same other checksum, after which it is certain what the station sends. */
const learnedAfter = 10
/** Stations remembered; frames of unregistered stations are counted too. */
const mostStations = 5_000

/**
 * Learns which checksum a station really sends when it is not the one that is set. Nothing is accepted because of it: the administrator is
 * told and changes the setting.
 */
export class ChecksumHabits {
  private readonly seen = new Map<string, { mode: CrcMode; count: number }>()

  /** A frame with a wrong checksum, and the settings that would fit it. Returns the learned setting, once per `learnedAfter` frames. */
  note(mn: string, fitting: readonly CrcMode[]): CrcMode | undefined {
    const known = this.seen.get(mn)
    const mode = known && fitting.includes(known.mode) ? known.mode : fitting[0]
    if (mode === undefined) {
      this.seen.delete(mn)
      return undefined
    }
    const count = known?.mode === mode ? known.count + 1 : 1
    if (this.seen.size >= mostStations && !known) this.seen.clear()
    this.seen.set(mn, { mode, count })
    return count % learnedAfter === 0 ? mode : undefined
  }

  /** A correct frame. */
  forget(mn: string): void {
    this.seen.delete(mn)
  }
}
