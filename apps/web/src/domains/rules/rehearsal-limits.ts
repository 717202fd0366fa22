/** More openings a day than this, and nobody will look any more. */
export const noisyPerDay = 20
