import { z } from 'zod'
import { ref } from '../kit/fields.ts'
import { codesOfSeats, type SeatRight, signatureCall } from '../kit/signatures.ts'
import { dayCheckMoves } from './moves.ts'

const { checkIn, remark } = dayCheckMoves

/** Seats of a daily check: its officers, 项目负责人 and 总监理工程师. */
export const dayCheckSeatRights = {
  checker: { needs: checkIn.needs, acts: 'site', turn: 'checker' },
  site: { needs: remark.needs, acts: 'site', turn: 'site' },
  supervisor: { needs: remark.needs, acts: 'supervisor', turn: 'supervisor' },
} as const satisfies Record<string, SeatRight>

export const signDayCheck = signatureCall({
  path: '/api/v1/oa/process/daycheck',
  noun: '日常检查',
  needs: codesOfSeats(...Object.values(dayCheckSeatRights)),
  params: z.object({ id: ref('daycheck') }),
})
