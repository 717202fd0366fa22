import { z } from 'zod'
import { ref } from '../kit/fields.ts'
import { codesOfSeats, type SeatRight, signatureCall } from '../kit/signatures.ts'

/** Whoever checked, and the gang on his device. 监理 signs by accepting. */
export const stepSeatRight = { needs: 'safety-management.edit', acts: 'site', turn: 'author' } as const satisfies SeatRight

export const signStep = signatureCall({
  path: '/api/v1/oa/process/qualityP',
  noun: '工序验收',
  needs: codesOfSeats(stepSeatRight),
  params: z.object({ id: ref('siteStep') }),
})
