import type { RehearseInput, RehearseOutput } from '@zhugong/contract/attendance/rehearsal'
import type { Work } from '#kit/off-thread/messages'
import { rehearse } from './engine/rehearse.ts'

export const work: Work<RehearseInput, RehearseOutput> = rehearse
