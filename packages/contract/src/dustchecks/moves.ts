import { z } from 'zod'
import { problemInputs } from '../checks/problems.ts'
import { filled, instant, nullable, text } from '../kit/fields.ts'
import type { Move } from '../kit/process.ts'
import type { RectifyState } from '../rectify/moves.ts'
import { itemResults } from '../scoring/score.ts'
import { dict } from '../settings/dict-field.ts'
import { dustItems } from './items.ts'

const mostPhotos = 9
const mostCheckers = 10
const photos = z.array(text(400, '照片')).max(mostPhotos, `照片最多 ${mostPhotos} 张`).default([])

/** What the checker writes; a draft may be saved as often as needed. */
export const dustFields = {
  /** Null: now. */
  checkTime: nullable(instant),
  checkers: z.array(filled(50, '检查人')).max(mostCheckers, `检查人最多 ${mostCheckers} 名`).default([]),
  /** Null: no response is in force. */
  responseLevel: nullable(dict('dustResponseLevel', '响应等级')),
  weather: nullable(dict('weather', '天气')),
  /** Null: taken from the site's station. */
  pm10: nullable(z.coerce.number({ error: 'PM10 应为数字' }).min(0, 'PM10 不能为负').max(99_999, 'PM10 过大')),
  items: z
    .array(
      z.object({
        code: dict('dustCheckItem', '检查项'),
        result: z.enum([itemResults.right, itemResults.wrong, itemResults.notApplicable], { error: '请选择检查结果' }),
        note: nullable(text(200, '说明')),
        photos,
      }),
    )
    .max(dustItems.length, `检查项最多 ${dustItems.length} 个`),
  remark: nullable(text(500, '检查情况')),
  photos,
  /** One or more for every item that failed, by `itemCode`. */
  problems: problemInputs,
}

const rights = { needs: 'inspection.dustCheck', acts: 'review', turn: 'checker', asks: dustFields } as const

/** Transitions of a dust check. After it is submitted its state is that of its least advanced notice. */
export const dustMoves = {
  save: { ...rights, label: '保存草稿', from: ['0'], to: null, unlogged: true },
  submit: { ...rights, label: '提交', from: ['0'], to: ['1', '7'] },
} as const satisfies Record<string, Move<RectifyState>>
export type DustAction = keyof typeof dustMoves
