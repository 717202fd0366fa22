/** Durations in milliseconds. */
export const secondMs = 1000
export const minuteMs = 60_000
export const hourMs = 3_600_000
export const dayMs = 86_400_000

/** Asia/Shanghai is ahead of UTC by a fixed +08:00, without summer time. */
export const shanghaiOffsetMs = 8 * hourMs

/** Epoch milliseconds of 00:00 in Asia/Shanghai on the day of a given time. */
export const startOfShanghaiDay = (at: number): number => Math.floor((at + shanghaiOffsetMs) / dayMs) * dayMs - shanghaiOffsetMs
