import { z } from 'zod'
import { ref } from '../kit/fields.ts'
import { codesOfSeats, type SeatRight, signatureCall } from '../kit/signatures.ts'

/** A worker signs on the tablet of whoever briefs the gang. */
export const gangSeat = { needs: 'safety-management.signCollect', acts: 'own', turn: 'author' } as const satisfies SeatRight
/** A manager signs with his own account, or on the tablet of whoever briefs. */
export const managerSeat = {
  needs: ['safety-management.edit', 'safety-management.signCollect'],
  acts: 'answer',
  turn: 'reader',
} as const satisfies SeatRight
export const holderSeat = { ...managerSeat, turn: 'author' } as const satisfies SeatRight

const params = z.object({ id: ref('briefing') })

export const signGangBriefing = signatureCall({
  path: '/api/v1/oa/process/safetyPTechnical',
  noun: '安全技术交底',
  needs: codesOfSeats(gangSeat, managerSeat),
  params,
})
export const signManagerBriefing = signatureCall({
  path: '/api/v1/oa/process/technical',
  noun: '方案与监督交底',
  needs: codesOfSeats(managerSeat),
  params,
})

/** Seats beside those of the receivers, which are named by their ids. */
export const discloserSeat = 'discloser'
export const witnessSeat = 'witness'
