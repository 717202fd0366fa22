import { dark } from '#kit/colors.ts'

/** Levels 1 and 2 need immediate action; the word beside tells them apart. */
export const levelColor = (level: number | null | undefined): string => (level === 1 ? dark.alarm : level ? dark.warning : dark.fine)
