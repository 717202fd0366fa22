import { laterDialog } from '#kit/later-dialog.tsx'

export { useDicts } from './dicts.ts'
export type { Leaver } from './exit-dialog.tsx'
export const ExitDialog = laterDialog(() => import('./exit-dialog.tsx').then((file) => file.ExitDialog))
export { FailedList } from './failed-list.tsx'
export { ProjectPicker } from './project-picker.tsx'
