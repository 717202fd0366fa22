import { z } from 'zod'
import { ref } from '../kit/fields.ts'
import { codesOfSeats, type SeatRight, signatureCall } from '../kit/signatures.ts'
import { workMoves } from './moves.ts'

const { pass, submit } = workMoves

/** Who fills the seats of a work: the building side and 监理, each on its own device also for those without an account. */
export const workSeatRights = {
  builder: { needs: submit.needs, acts: 'own', turn: 'builder' },
  supervisor: { needs: pass.needs, acts: 'supervisor', turn: 'supervisor' },
} as const satisfies Record<string, SeatRight>

export const signWork = signatureCall({
  path: '/api/v1/oa/process/bigproject',
  noun: '危大工程',
  needs: codesOfSeats(...Object.values(workSeatRights)),
  params: z.object({ id: ref('bigproject') }),
})
