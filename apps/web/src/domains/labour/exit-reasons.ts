import { longAbsence } from '@zhugong/contract/labour/exits'
import type { useDicts } from '#kit/dicts.ts'

/** Exit reasons a person may choose; the system's own reason is excluded. */
export const givenReasons = (dicts: Pick<ReturnType<typeof useDicts>, 'options'>) =>
  dicts.options('exitReason').filter((one) => one.value !== longAbsence)
