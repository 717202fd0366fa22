export { useDicts } from './dicts.ts'
export { ExitDialog, type Leaver } from './exit-dialog.tsx'
export { FailedList } from './failed-list.tsx'
export { ProjectPicker } from './project-picker.tsx'
