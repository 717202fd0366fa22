import { z } from 'zod'
import { endpoint } from '../../kit/endpoint.ts'
import { day, dayRange, filled, nullable, numericRange, ofProject, paged, pageQuery, ref, several, text } from '../../kit/fields.ts'
import { listOf, sortBy } from '../../kit/list.ts'
import { epoch } from '../../telemetry/model.ts'
import { pileKindKeys, pileKinds } from './pile-kinds.ts'
import { pileTest } from './pile-tests.ts'
import { pileVerdictNames } from './pile-verdict.ts'

/**
 * The piles a site has to build. A rig's record is assigned to its pile by pile number or by a person; acceptance is proposed from record and tests
 * and decided by a person, with a reason.
 */

const view = 'foundation-pile.view'
const edit = 'foundation-pile.edit'

export const pileStates = {
  planned: '未施工',
  late: '逾期未施工',
  making: '施工中',
  made: '待判定',
  passed: '合格',
  doubtful: '存疑',
  failed: '不合格',
} as const
export type PileState = keyof typeof pileStates
const stateKeys = Object.keys(pileStates) as [PileState, ...PileState[]]

const verdict = z.enum(Object.keys(pileVerdictNames) as ['1', '2', '0'], { error: '结论应为合格、存疑或不合格' })
const metres = (label: string) =>
  z
    .number({ error: `请填写${label}` })
    .min(1, `${label}应在 1 到 150 米之间`)
    .max(150, `${label}应在 1 到 150 米之间`)

const pileEntry = z.object({
  id: z.string(),
  projectCode: z.string(),
  projectName: z.string(),
  pileNo: z.string(),
  kind: z.enum(pileKindKeys),
  axis: z.string().nullable(),
  diameter: z.number().nullable(),
  designLength: z.number(),
  designDepth: z.number().nullable(),
  concrete: z.string().nullable(),
  plannedOn: z.string().nullable(),
  /** Metres east and north in the site's plane; both or neither. */
  x: z.number().nullable(),
  y: z.number().nullable(),
  /** Entered by the site if no rig recorded the pile. */
  madeOn: z.string().nullable(),
  state: z.enum(stateKeys),
  /** End of the newest record, or the day entered by the site. */
  madeAt: epoch.nullable(),
  finalDepth: z.number().nullable(),
  maxVerticality: z.number().nullable(),
  /** Number of assigned records; several if the pile was redone. */
  runs: z.number().int(),
  tests: z.number().int(),
  verdict: verdict.nullable(),
  version: z.number().int(),
})
export type PileEntry = z.infer<typeof pileEntry>

export const listPiles = endpoint({
  method: 'GET',
  path: '/api/v1/oa/process/pile',
  summary: '桩清单',
  needs: view,
  answers: 'list',
  query: pageQuery.extend({
    ...ofProject.shape,
    pileNo: text(40).optional(),
    axis: text(60).optional(),
    kind: several.optional(),
    state: several.optional(),
    designLength: numericRange.optional(),
    plannedOn: dayRange.optional(),
    sort: sortBy('pileNo', 'plannedOn', 'madeAt', 'designLength'),
  }),
  response: paged(pileEntry).extend({
    /** Over the same projects, ignoring the other filters. */
    counts: z.object({
      total: z.number().int(),
      made: z.number().int(),
      passed: z.number().int(),
      doubtful: z.number().int(),
      failed: z.number().int(),
      undecided: z.number().int(),
      late: z.number().int(),
      tested: z.number().int(),
    }),
  }),
})
export const pileRegisterList = listOf(listPiles, {
  feature: 'pileRegister',
  columns: {
    projectName: '项目',
    pileNo: '桩号',
    kind: '桩型',
    axis: '轴线位置',
    diameter: '桩径（mm）',
    designLength: '设计桩长（m）',
    designDepth: '设计孔深（m）',
    concrete: '混凝土',
    plannedOn: '计划日期',
    x: '坐标 X（m）',
    y: '坐标 Y（m）',
    madeAt: '成桩时间',
    finalDepth: '终孔深度（m）',
    maxVerticality: '垂直度偏差（%）',
    runs: '成桩记录',
    tests: '检测',
    state: '状态',
  },
})

const farthest = 20_000
const along = (label: string) =>
  nullable(
    z.coerce
      .number({ error: `${label}应为数字` })
      .min(-farthest, `${label}超出工地范围`)
      .max(farthest, `${label}超出工地范围`),
  ).default(null)
export const pileFields = z.object({
  pileNo: filled(40, '桩号'),
  kind: z.enum(pileKindKeys, { error: `桩型应为${Object.values(pileKinds).join('、')}之一` }),
  axis: nullable(text(60, '轴线位置')),
  diameter: nullable(
    z
      .number({ error: '桩径应为数字' })
      .int('桩径应为整数')
      .min(100, '桩径应在 100 到 5000 毫米之间')
      .max(5000, '桩径应在 100 到 5000 毫米之间'),
  ),
  designLength: metres('设计桩长'),
  designDepth: nullable(metres('设计孔深')),
  concrete: nullable(text(20, '混凝土强度')),
  plannedOn: nullable(day),
  madeOn: nullable(day),
  x: along('坐标 X'),
  y: along('坐标 Y'),
})
const bothOrNeither = ({ x, y }: { x: number | null; y: number | null }, ctx: z.RefinementCtx) => {
  if ((x === null) !== (y === null)) ctx.addIssue({ code: 'custom', path: [x === null ? 'x' : 'y'], message: '坐标 X、Y 应同时填写' })
}
const pileBody = pileFields.superRefine(bothOrNeither)
export type PileBody = z.infer<typeof pileFields>
const byId = z.object({ id: ref('pile') })

export const createPile = endpoint({
  method: 'POST',
  path: '/api/v1/oa/process/pile',
  summary: '登记桩',
  needs: edit,
  query: ofProject,
  body: pileBody,
  response: z.object({ id: z.string() }),
})
export const updatePile = endpoint({
  method: 'PUT',
  path: '/api/v1/oa/process/pile/:id',
  summary: '修改桩的设计值',
  needs: edit,
  params: byId,
  query: ofProject,
  body: pileFields.extend({ version: z.number().int() }).superRefine(bothOrNeither),
})
/** Only a pile without records, tests or a verdict can be removed. */
export const removePile = endpoint({
  method: 'DELETE',
  path: '/api/v1/oa/process/pile/:id',
  summary: '删除桩',
  needs: edit,
  params: byId,
  query: ofProject,
})

export const pileRun = z.object({
  key: z.string(),
  deviceId: z.string(),
  deviceName: z.string(),
  time: epoch,
  /** Number as recorded by the rig. */
  pileNo: z.string().nullable(),
  startTime: epoch.nullable(),
  finalDepth: z.number().nullable(),
  maxVerticality: z.number().nullable(),
  groutTotal: z.number().nullable(),
  groutPercent: z.number().nullable(),
  finalPressure: z.number().nullable(),
  finalPenetration: z.number().nullable(),
  /** From the rig's record: L per metre; `designPressure` in kN. */
  designGrout: z.number().nullable(),
  designPressure: z.number().nullable(),
  doubts: z.array(z.string()),
  /** Who assigned it by hand, and why; null if assigned by pile number. */
  assignedBy: z.string().nullable(),
  assignedReason: z.string().nullable(),
})
export type PileRun = z.infer<typeof pileRun>

export const pileDetail = endpoint({
  method: 'GET',
  path: '/api/v1/oa/process/pile/:id',
  summary: '桩详情',
  needs: view,
  params: byId,
  query: ofProject,
  response: pileEntry.extend({
    /** Newest first; the first one counts. */
    made: z.array(pileRun),
    tested: z.array(pileTest),
    verdicts: z.array(
      z.object({
        id: z.string(),
        verdict,
        proposed: verdict.nullable(),
        grounds: z.array(z.string()),
        reason: z.string(),
        byName: z.string(),
        byGroup: z.string(),
        at: epoch,
      }),
    ),
    /** Verdict proposed from record and tests, with reasons; null while there is neither. */
    proposal: z.object({ verdict: verdict.nullable(), grounds: z.array(z.string()) }),
  }),
})
export type PileDetail = NonNullable<(typeof pileDetail)['types']>['out']

/** Export name of a pile's printed page. */
export const pilePrint = 'pileRecordSheet'

/** All records of a pile are kept; the newest counts. A record belongs to one pile: assigning it again moves it. */
export const assignPileRun = endpoint({
  method: 'POST',
  path: '/api/v1/oa/process/pile/:id/run',
  summary: '指定成桩记录的桩号',
  needs: edit,
  params: byId,
  query: ofProject,
  body: z.object({ record: ref('deviceRecord'), reason: filled(200, '原因') }),
})
export const judgePile = endpoint({
  method: 'POST',
  path: '/api/v1/oa/process/pile/:id/verdict',
  summary: '判定成桩结论',
  needs: 'foundation-pile.judge',
  acts: 'review',
  params: byId,
  query: ofProject,
  body: z.object({ verdict, reason: filled(300, '判定理由'), version: z.number().int() }),
})

/** Columns of the sheet; a file names them in its heading, in any order. */
export const pileColumns = [
  { key: 'pileNo', title: '桩号', required: true },
  { key: 'kind', title: '桩型', required: true },
  { key: 'axis', title: '轴线位置', required: false },
  { key: 'diameter', title: '桩径', required: false },
  { key: 'designLength', title: '设计桩长', required: true },
  { key: 'designDepth', title: '设计孔深', required: false },
  { key: 'concrete', title: '混凝土', required: false },
  { key: 'plannedOn', title: '计划日期', required: false },
  { key: 'x', title: '坐标X', required: false },
  { key: 'y', title: '坐标Y', required: false },
] as const
export type PileField = (typeof pileColumns)[number]['key']
const fields = pileColumns.map((one) => one.key) as [PileField, ...PileField[]]
export const mostPileRows = 3_000

export const pileTemplate = endpoint({
  method: 'GET',
  path: '/api/v1/oa/process/pile/template',
  summary: '下载桩清单导入模板',
  needs: edit,
  query: ofProject,
  answers: 'blob',
})
const cellFault = z.object({ column: z.enum(fields), text: z.string() })
/** A form with `file` and `mode`: `check` reports errors cell by cell and stores nothing, `save` stores the whole file or nothing. */
export const importPiles = endpoint({
  method: 'POST',
  path: '/api/v1/oa/process/pile/import',
  summary: '导入桩清单',
  needs: edit,
  multipart: true,
  perMinute: 30,
  query: ofProject,
  response: z.object({
    rows: z.array(
      z.object({
        row: z.number().int(),
        values: z.partialRecord(z.enum(fields), z.string()),
        errors: z.array(cellFault),
        warnings: z.array(cellFault),
      }),
    ),
    counts: z.object({ rows: z.number().int(), faulty: z.number().int(), known: z.number().int(), fresh: z.number().int() }),
    unknownColumns: z.array(z.string()),
  }),
})
