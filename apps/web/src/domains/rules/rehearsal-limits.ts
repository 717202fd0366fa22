/** A rule that opens more alarms per day than this is considered noisy. */
export const noisyPerDay = 20
