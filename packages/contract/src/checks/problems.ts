import { z } from 'zod'
import { voicesInput } from '../files/voices.ts'
import { day, filled, nullable, ref, text } from '../kit/fields.ts'
import { placeFields, placeShown } from '../places/pins.ts'
import { dict } from '../settings/dict-field.ts'

export const mostProblems = 50
export const mostProblemPhotos = 9

const photos = z.array(text(400, '照片')).max(mostProblemPhotos, `照片最多 ${mostProblemPhotos} 张`)

/** A problem as the checker writes it. */
export const problemInput = z.object({
  description: text(500, '问题描述').min(5, '问题描述至少 5 个字'),
  part: text(100, '部位'),
  ...placeFields,
  /** An item of the check library or of dictionary safetyCheckItem. */
  itemCode: nullable(text(32, '检查项')),
  clause: nullable(text(200, '条款')),
  /** Dictionary hiddenDangerLevel. */
  dangerLevel: dict('hiddenDangerLevel', '隐患等级'),
  majorClause: nullable(text(200, '重大隐患判定条款')),
  requirement: filled(500, '整改要求'),
  corpCode: ref('corporation'),
  person: nullable(text(50, '整改人')),
  deadline: day,
  photos: photos.min(1, '请附问题照片'),
  voices: voicesInput,
  /** What was done while the checker was there; closes the problem at once. */
  mended: nullable(text(500, '当场改正措施')),
  mendedPhotos: photos.default([]),
})
export type ProblemInput = z.output<typeof problemInput>
export const problemInputs = z.array(problemInput).max(mostProblems, `一次检查最多 ${mostProblems} 个问题`)

/** A problem of a check, with the notice it became. */
export const checkProblem = problemInput.omit({ photos: true, voices: true, mendedPhotos: true, placeId: true, pin: true }).extend({
  ...placeShown,
  id: z.string(),
  seq: z.number().int(),
  dangerLevelName: z.string(),
  /** The kind of notice it asked for; null: the usual one of its check. */
  noticeType: z.string().nullable(),
  corpName: z.string(),
  photos: z.array(z.string()),
  voices: z.array(z.string()),
  mendedPhotos: z.array(z.string()),
  /** Null until the check is submitted. */
  notice: z
    .object({ id: z.string(), code: z.string().nullable(), state: z.string(), stateName: z.string(), passed: z.boolean() })
    .nullable(),
})
export type CheckProblem = z.output<typeof checkProblem>
