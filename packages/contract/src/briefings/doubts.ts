/** Why signatures of a briefing are doubtful. */
export const doubts = {
  fast: '签字过快',
  away: '不在场签字',
  device: '一机多签',
} as const
export type Doubt = keyof typeof doubts

/** All signatures of at least so many people within so many minutes are not made one by one. */
export const fastLeast = 5
export const fastMinutes = 2
/** Signatures of one day by one device. */
export const mostByDevice = 40

/** A gang that entered within so many days is new. */
export const newGangDays = 30
/** Dangerous works that begin within so many days. */
export const soonDays = 3
