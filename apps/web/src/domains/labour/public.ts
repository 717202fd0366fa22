import { laterDialog } from '#kit/later-dialog.tsx'

export { AccountCheck } from './account-check.tsx'
export type { Leaver } from './exit-dialog.tsx'
export const ExitDialog = laterDialog(() => import('./exit-dialog.tsx').then((file) => file.ExitDialog))
export { givenReasons } from './exit-reasons.ts'
export { FailedList } from './failed-list.tsx'

export const ExitProposals = laterDialog(() => import('./exit-proposals.tsx').then((file) => file.ExitProposals))
