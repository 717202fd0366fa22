import { longAbsence } from '@zhugong/contract/labour/exits'
import type { useDicts } from '#kit/dicts.ts'

/** Reasons somebody may give for an exit: the system's own is not among them. */
export const givenReasons = (dicts: Pick<ReturnType<typeof useDicts>, 'options'>) =>
  dicts.options('exitReason').filter((one) => one.value !== longAbsence)
