import { z } from 'zod'
import { ref } from '../kit/fields.ts'
import { codesOfSeats, type SeatRight, signatureCall } from '../kit/signatures.ts'
import { stopMoves } from './moves.ts'

const { agree, approve, submit } = stopMoves

/** Seats of an application: 监理, the officers of the site check, who decides, and who receives the 告知书. */
export const stopSeatRights = {
  supervisor: { needs: agree.needs, acts: 'supervisor', turn: 'supervisor' },
  authority: { needs: approve.needs, acts: 'site', turn: 'authority' },
  applicant: { needs: submit.needs, acts: 'site', turn: 'applicant' },
} as const satisfies Record<string, SeatRight>

export const signStop = signatureCall({
  path: '/api/v1/oa/process/stopapply',
  noun: '停复工申请',
  needs: codesOfSeats(...Object.values(stopSeatRights)),
  params: z.object({ id: ref('stopapply') }),
})
