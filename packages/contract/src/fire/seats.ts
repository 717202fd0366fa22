import { z } from 'zod'
import { ref } from '../kit/fields.ts'
import { codesOfSeats, type SeatRight, signatureCall } from '../kit/signatures.ts'
import { fireMoves } from './moves.ts'

const { conclude } = fireMoves
/** Every assessor signs the findings of his round; an expert without account signs on the tablet of an assessor. */
export const fireSeatRights = {
  assessor: { needs: conclude.needs, acts: conclude.acts, turn: conclude.turn },
} as const satisfies Record<string, SeatRight>

export const signFire = signatureCall({
  path: '/api/v1/oa/process/fireAssess',
  noun: '消防现场评定',
  needs: codesOfSeats(...Object.values(fireSeatRights)),
  params: z.object({ id: ref('fireCase') }),
})
