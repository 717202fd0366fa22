import { z } from 'zod'
import { text } from '../kit/fields.ts'

/** Spoken notes of one problem at most, and the longest in seconds. */
export const mostVoices = 3
export const longestVoiceSeconds = 60

/** Spoken notes as they are sent: ids or addresses of stored recordings. */
export const voicesInput = z.array(text(400, '录音')).max(mostVoices, `录音最多 ${mostVoices} 段`).optional()
