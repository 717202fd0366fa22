import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { filled, ofProject, ref, text } from '../kit/fields.ts'
import { passage } from './vehicles.ts'

const plate = text(12, '车牌').regex(/^[\u4e00-\u9fa5][A-Z][A-Z0-9]{5,6}$/, '车牌格式不正确，如 鄂A12345')
/** A misread plate, a wrong direction, a washing that the camera took for none. What is not named stays. */
export const correctPassage = endpoint({
  method: 'PUT',
  path: '/api/v1/oa/process/accessCorrection/:id',
  summary: '更正出入记录',
  needs: 'vehicle-access.correct',
  params: z.object({ id: ref('deviceRecord') }),
  query: ofProject,
  body: z.object({
    version: z.coerce.number().int().min(0),
    reason: filled(200, '更正原因'),
    plateNo: plate.optional(),
    direction: z.enum(['1', '2'], { error: '方向应为进场或出场' }).optional(),
    vehicleType: z.enum(['1', '2', '3', '4', '9'], { error: '车型不正确' }).optional(),
    washState: z.enum(['1', '2', '3'], { error: '冲洗状态不正确' }).optional(),
    coverState: z.enum(['1', '2'], { error: '密闭状态不正确' }).optional(),
  }),
  response: passage,
})

const blame = z.object({
  illegal: z.boolean({ error: '请选择标记或取消' }),
  reason: filled(200, '原因'),
  version: z.coerce.number().int().min(0),
})
/** Blames a run of a lift, or takes the blame back: each with its reason. What was measured (too many, too heavy, a door open) stays what it is. */
export const markLiftRun = endpoint({
  method: 'PUT',
  path: '/api/v1/iot/lift/workingcycle/:id',
  summary: '标记升降机违章运行',
  needs: 'alarm.handle',
  params: z.object({ id: ref('deviceRecord') }),
  query: ofProject,
  body: blame,
})
/** The same for a lift of a crane: what the crane itself called a breach is taken back as well, where a person found out better. */
export const markCraneCycle = endpoint({
  method: 'PUT',
  path: '/api/v1/iot/tower/workingcycle/:id',
  summary: '标记塔机违章吊次',
  needs: 'alarm.handle',
  params: z.object({ id: ref('deviceRecord') }),
  query: ofProject,
  body: blame,
})
