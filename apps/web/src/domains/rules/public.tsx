export { type Draft, type DraftLevel, type Schedule, scheduleWords } from './condition-words.ts'
export {
  channelWord,
  commandWord,
  execWords,
  linkageOf,
  minutesWords,
  notifyOf,
  quietWords,
  targetWords,
} from './exec-words.ts'
export { FieldLabel } from './field-label.tsx'
export { handDraft } from './handed-draft.ts'
export { LevelKnobs } from './level-knobs.tsx'
export { LinkageNow, useLinkageNow } from './linkage-runs.tsx'
export { TriggerDrawer } from './trigger-drawer.tsx'
export { DeviceUnjudged, UnjudgedNotice, useUnjudged } from './unjudged.tsx'
