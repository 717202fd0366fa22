import { dark } from '#kit/colors.ts'

/** Levels 1 and 2 call for action at once; the word beside says which. */
export const levelColor = (level: number | null | undefined): string => (level === 1 ? dark.alarm : level ? dark.warning : dark.fine)
