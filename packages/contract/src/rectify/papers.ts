import { z } from 'zod'
import { zipIds } from '../exports/endpoints.ts'
import { ref } from '../kit/fields.ts'
import { stopNotices } from './moves.ts'

/** 工程质量 in dictionary rectifyCategory. */
const qualityCategory = '02'
/** 限期, 停工 and 质量整改通知书, and the reports on them (dictionary superviseDocType). */
const docTypes = {
  safety: { notice: '201', report: '203' },
  stop: { notice: '202', report: '203' },
  quality: { notice: '204', report: '205' },
}

/** The type of the authority's paper, or of the report on it. */
export function docTypeOf(
  { noticeType, category }: { noticeType: string; category: string },
  paper: 'notice' | 'report' = 'notice',
): string {
  const of = stopNotices.includes(noticeType) ? docTypes.stop : category === qualityCategory ? docTypes.quality : docTypes.safety
  return of[paper]
}

export const noticePrint = z.object({ id: ref('rectify') })
/** Notices in one archive. */
export const noticesZip = z.object({ ids: zipIds(ref('rectify')) })
/** Of the newest round, unless one is named. */
export const reportPrint = z.object({ id: ref('rectify'), round: z.coerce.number().int().min(1).optional() })
