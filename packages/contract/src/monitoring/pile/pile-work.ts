import { z } from 'zod'
import { endpoint } from '../../kit/endpoint.ts'
import { nullable, ofProject, paged, pageQuery, ref, text } from '../../kit/fields.ts'
import { epoch } from '../../telemetry/model.ts'

const view = 'foundation-pile.view'
const edit = 'foundation-pile.edit'

/** A rig's work at a pile, with start and end. */
export const pileWork = z.object({
  id: z.string(),
  projectCode: z.string(),
  deviceId: z.string(),
  deviceName: z.string(),
  pileId: z.string(),
  pileNo: z.string(),
  designDepth: z.number(),
  startedAt: epoch,
  byName: z.string(),
  endedAt: epoch.nullable(),
  endedBy: z.string().nullable(),
  endDepth: z.number().nullable(),
  endNote: z.string(),
})
export type PileWork = z.infer<typeof pileWork>

export const listPileWork = endpoint({
  method: 'GET',
  path: '/api/v1/oa/process/pileWork',
  summary: '桩机作业记录',
  needs: view,
  answers: 'list',
  query: pageQuery.extend({ ...ofProject.shape, deviceId: ref('device').optional(), pileId: ref('pile').optional() }),
  response: paged(pileWork),
})
/** Starts a registered pile at a rig; records without a pile number are then assigned to it. */
export const startPile = endpoint({
  method: 'POST',
  path: '/api/v1/oa/process/pileWork',
  summary: '开始成桩',
  needs: edit,
  query: ofProject,
  body: z.object({ deviceId: ref('device'), pileId: ref('pile') }),
  response: z.object({ id: z.string() }),
})
export const endPile = endpoint({
  method: 'PUT',
  path: '/api/v1/oa/process/pileWork/:id',
  summary: '结束成桩',
  needs: edit,
  params: z.object({ id: ref('pileWork') }),
  query: ofProject,
  /** Required if the design depth was not reached. */
  body: z.object({ note: text(200, '说明').default('') }),
})

export const pileTroubles = {
  obstacle: '遇障碍',
  stop: '中途停机',
  collapse: '塌孔缩颈',
  grout: '断浆堵管',
  machine: '设备故障',
  other: '其他',
} as const
export type PileTroubleKind = keyof typeof pileTroubles
const troubleKinds = Object.keys(pileTroubles) as [PileTroubleKind, ...PileTroubleKind[]]

export const pileTrouble = z.object({
  id: z.string(),
  projectCode: z.string(),
  deviceId: z.string(),
  deviceName: z.string(),
  pileId: z.string().nullable(),
  pileNo: z.string().nullable(),
  at: epoch,
  kind: z.enum(troubleKinds),
  depth: z.number().nullable(),
  text: z.string(),
  files: z.array(z.string()),
  byName: z.string(),
})
export type PileTrouble = z.infer<typeof pileTrouble>

export const listPileTroubles = endpoint({
  method: 'GET',
  path: '/api/v1/oa/process/pileTrouble',
  summary: '成桩异常记录',
  needs: view,
  answers: 'list',
  query: pageQuery.extend({ ...ofProject.shape, deviceId: ref('device').optional(), pileId: ref('pile').optional() }),
  response: paged(pileTrouble),
})
const mostFiles = 6
/** Records a problem at the pile the rig is working on, with its depth. */
export const addPileTrouble = endpoint({
  method: 'POST',
  path: '/api/v1/oa/process/pileTrouble',
  summary: '记录成桩异常',
  needs: edit,
  query: ofProject,
  body: z.object({
    deviceId: ref('device'),
    kind: z.enum(troubleKinds, { error: '请选择异常类型' }),
    /** Default: the depth the rig reports. */
    depth: nullable(z.coerce.number({ error: '深度应为数字' }).min(0, '深度不能为负').max(150, '深度最多 150 米')),
    text: text(300, '情况与处理').min(2, '请填写情况与处理（至少 2 个字）'),
    files: z.array(text(400, '照片')).min(1, '请上传现场照片').max(mostFiles, `照片最多 ${mostFiles} 张`),
  }),
  response: z.object({ id: z.string() }),
})
