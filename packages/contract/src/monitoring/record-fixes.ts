import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { filled, ofProject, ref } from '../kit/fields.ts'
import { plateField } from '../kit/plate.ts'
import { epoch } from '../telemetry/model.ts'
import { passage } from './gateway/passages.ts'

const vehicleType = z.enum(['1', '2', '3', '4', '9'], { error: '车型不正确' }).optional()
const washState = z.enum(['1', '2', '3'], { error: '冲洗状态不正确' }).optional()
const coverState = z.enum(['1', '2'], { error: '密闭状态不正确' }).optional()
const version = z.coerce.number().int().min(0)
/** Corrects a misread plate, a wrong direction or missed washing. Omitted fields are unchanged. */
export const correctPassage = endpoint({
  method: 'PUT',
  path: '/api/v1/oa/process/accessCorrection/:id',
  summary: '更正出入记录',
  needs: 'vehicle-access.correct',
  params: z.object({ id: ref('deviceRecord') }),
  query: ofProject,
  body: z.object({
    version,
    reason: filled(200, '更正原因'),
    plateNo: plateField.optional(),
    direction: z.enum(['1', '2'], { error: '方向应为进场或出场' }).optional(),
    vehicleType,
    washState,
    coverState,
  }),
  response: passage,
})

/** Most passages marked at once. */
export const mostMarks = 50
/** Result of looking at the picture of a doubtful plate: read correctly, or unreadable. */
export const plateMarks = { right: '车牌无误', unreadable: '无法辨认' } as const
/** Marks several doubtful passages with one reason. Rows that cannot be marked are reported, the others are marked. */
export const markPassages = endpoint({
  method: 'PUT',
  path: '/api/v1/iot/truckAccess/marks',
  summary: '批量标记待核通行',
  needs: 'vehicle-access.correct',
  query: ofProject,
  body: z
    .object({
      rows: z
        .array(z.object({ id: ref('deviceRecord'), version }))
        .min(1, '请选择要标记的通行')
        .max(mostMarks, `一次最多标记 ${mostMarks} 辆次`),
      plate: z.enum(['right', 'unreadable'], { error: '应为车牌无误或无法辨认' }).optional(),
      vehicleType,
      washState,
      coverState,
      reason: filled(200, '标记原因'),
    })
    .superRefine((body, ctx) => {
      if (!body.plate && !body.vehicleType && !body.washState && !body.coverState)
        ctx.addIssue({ code: 'custom', path: ['plate'], message: '请至少选择一项标记' })
    }),
  response: z.object({
    done: z.number().int(),
    failed: z.array(z.object({ id: z.string(), plateNo: z.string(), time: epoch, reason: z.string() })),
  }),
})

const blame = z.object({
  illegal: z.boolean({ error: '请选择标记或取消' }),
  reason: filled(200, '原因'),
  version: z.coerce.number().int().min(0),
})
/** Marks a lift run as a violation or withdraws the mark, with a reason. Measured values (overload, too many people, open door) are unchanged. */
export const markLiftRun = endpoint({
  method: 'PUT',
  path: '/api/v1/iot/lift/workingcycle/:id',
  summary: '标记升降机违章运行',
  needs: 'alarm.handle',
  params: z.object({ id: ref('deviceRecord') }),
  query: ofProject,
  body: blame,
})
/** The same for a crane cycle; a violation reported by the crane itself can be withdrawn as well. */
export const markCraneCycle = endpoint({
  method: 'PUT',
  path: '/api/v1/iot/tower/workingcycle/:id',
  summary: '标记塔机违章吊次',
  needs: 'alarm.handle',
  params: z.object({ id: ref('deviceRecord') }),
  query: ofProject,
  body: blame,
})
