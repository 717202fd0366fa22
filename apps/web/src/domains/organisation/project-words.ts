import { projectStates } from '@zhugong/contract/organisation/codes'
import type { Tone } from '#kit/feedback.tsx'

/** Tone of each project state. */
export const stateTones: Record<string, Tone> = {
  [projectStates.planned]: 'neutral',
  [projectStates.approved]: 'running',
  [projectStates.building]: 'fine',
  [projectStates.accepted]: 'neutral',
  [projectStates.stopped]: 'danger',
  [projectStates.finished]: 'running',
  [projectStates.closed]: 'neutral',
}
