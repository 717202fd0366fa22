import { dayMs } from '@zhugong/contract/kit/time'
import { day } from '#kit/format.ts'

/** yyyy-MM-dd of the day so many days from now. */
export const inDays = (days: number): string => day(Date.now() + days * dayMs)
export const today = (): string => inDays(0)
