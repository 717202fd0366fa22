import { z } from 'zod'
import { ref } from '../kit/fields.ts'
import { codesOfSeats, type SeatRight, signatureCall } from '../kit/signatures.ts'
import { rectifyMoves } from './moves.ts'

const { issue, sign, recheckPass } = rectifyMoves

/** Seats of a notice: whoever issues it, whoever receives it, and the officers of each recheck. */
export const rectifySeatRights = {
  issuer: { needs: issue.needs, acts: 'review', turn: 'issuer' },
  receiver: { needs: sign.needs, acts: 'own', turn: 'addressee' },
  officer: { needs: recheckPass.needs, acts: 'review', turn: 'issuer' },
} as const satisfies Record<string, SeatRight>

export const signRectify = signatureCall({
  path: '/api/v2/oa/se/rectify',
  noun: '整改单',
  needs: codesOfSeats(...Object.values(rectifySeatRights)),
  params: z.object({ id: ref('rectify') }),
})
