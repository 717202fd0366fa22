import { z } from 'zod'
import { mostProblems, problemInput } from '../checks/problems.ts'
import { day, filled, instant, nullable, pointsTo, ref, text } from '../kit/fields.ts'
import type { Move } from '../kit/process.ts'
import { drawnImage } from '../kit/signatures.ts'
import { itemResults } from '../scoring/score.ts'
import { dict } from '../settings/dict-field.ts'

/** States of a daily check (dictionary dayCheckState). 3, 4 and 5 follow its notices. */
export type DayCheckState = '0' | '1' | '2' | '3' | '4' | '5' | '6'
export const dayCheckStates = {
  planned: '0',
  running: '1',
  clean: '2',
  rectifying: '3',
  rechecking: '4',
  closed: '5',
  cancelled: '6',
} as const
/** Known to the site: from submission on. */
export const submittedDayStates = ['2', '3', '4', '5'] as const satisfies readonly DayCheckState[]

export const leastOfficers = 2
export const mostOfficers = 10
/** Metres outside the fence beyond which a position is marked and needs a reason. */
export const farFromFenceM = 500
export const mostUnits = 30
export const mostUnitSheets = 20
export const mostCheckInPhotos = 6
export const mostItemPhotos = 6
/** Days after submission during which the site may write its remark. */
export const remarkDays = 3
/** A check that runs longer is marked in the list. */
export const longRunningHours = 12
export const shortestCancel = 5
/** Kinds of record that a check may come from. */
export const checkSources = ['advice', 'rectify', 'stopapply'] as const

/** 安全 and 质量 in dictionary checkDiscipline: they decide the library and the printed record (103, 104). */
export const disciplines = { safety: '1', quality: '2' } as const

const deviceId = z.string().regex(/^[0-9a-f]{32}$/, '编号格式不正确')
/** Made on the device for one act, so that a repeated request changes nothing. */
const actKey = deviceId.optional()
const photo = text(400, '照片')

/** An officer: an account, or a member of a group without one (an expert). */
export const officer = z.object({ id: nullable(pointsTo('user', text(64, '账号'))), name: filled(50, '检查人') })
export type Officer = z.output<typeof officer>

const officers = z
  .array(officer)
  .min(leastOfficers, `检查人员至少 ${leastOfficers} 名`)
  .max(mostOfficers, `检查人员最多 ${mostOfficers} 名`)
  .refine((all) => new Set(all.map(({ name }) => name)).size === all.length, '检查人员重复')

/** The task: when, what and by whom. */
export const dayTaskFields = {
  inspectType: dict('inspectType', '检查类型'),
  discipline: z.array(dict('checkDiscipline', '专业')).min(1, '请选择专业').max(7),
  plannedDate: day,
  checkers: officers,
  template: nullable(z.array(text(8, '检查表')).max(mostUnitSheets, `检查表最多 ${mostUnitSheets} 张`)),
}

const result = z.object({
  sheetId: ref('checkSheet'),
  itemCode: filled(32, '检查项'),
  result: z.enum(itemResults, { error: '检查结果不正确' }),
  deduction: z.number({ error: '扣分应为数字' }).min(0, '扣分不能为负').max(100, '扣分过大').multipleOf(0.1, '扣分最多一位小数').default(0),
  note: nullable(text(300, '问题')),
  photos: z.array(photo).max(mostItemPhotos, `照片最多 ${mostItemPhotos} 张`).default([]),
  reason: nullable(text(100, '不涉及原因')),
})

const unit = z.object({
  id: pointsTo('daycheckUnit', deviceId).optional(),
  /** Null: the project as a whole. */
  unitId: nullable(ref('unitProject')),
  /** For the project as a whole, or a unit that the project has not registered. */
  name: text(60, '单体名称').default(''),
  sheets: z.array(text(8, '检查表')).min(1, '请选择检查表').max(mostUnitSheets, `检查表最多 ${mostUnitSheets} 张`),
})
export type UnitInput = z.output<typeof unit>

/** A problem of the check, with the kind of notice it asks for. */
export const dayProblem = problemInput.extend({ noticeType: nullable(dict('rectifyNoticeType', '通知类型')) })
export type DayProblem = z.output<typeof dayProblem>
const problems = z.array(dayProblem).max(mostProblems, `一次检查最多 ${mostProblems} 个问题`)

const content = {
  progress: nullable(dict('projectPhase', '形象进度')),
  conclusion: nullable(dict('checkResult', '检查结论')),
  summary: nullable(text(1000, '检查情况')),
  problems,
}

/** A signature on the officers' tablet. */
const drawn = z.object({
  id: pointsTo('signature', deviceId),
  seat: filled(32, '签名栏'),
  /** Null: the name that the seat expects. */
  name: nullable(text(50, '签名人')),
  place: nullable(text(100, '签名地点')),
  image: drawnImage,
})

const checks = ['supervision.check', 'supervision.campaignCheck'] as const
const assigns = 'supervision.checkAssign'
const run = { needs: checks, acts: 'site', turn: 'checker' } as const

/**
 * Transitions of a daily check. `checker`: the institution that holds it, by its named officers or who assigns them; `site`: the project.
 * Of `saveUnit` the version is that of the unit.
 */
export const dayCheckMoves = {
  assign: { label: '调整任务', from: ['0'], to: null, needs: assigns, acts: 'site', turn: 'institution', asks: dayTaskFields },
  cancel: {
    label: '取消检查',
    from: ['0'],
    to: '6',
    needs: assigns,
    acts: 'site',
    turn: 'institution',
    asks: { opinion: text(500, '取消原因').min(shortestCancel, `取消原因至少 ${shortestCancel} 个字`) },
  },
  checkIn: {
    ...run,
    label: '签到',
    from: ['0'],
    to: '1',
    asks: {
      actKey,
      /** When the officers arrived, where the device had no network then. */
      at: nullable(instant),
      lng: nullable(z.number().min(-180).max(180)),
      lat: nullable(z.number().min(-90).max(90)),
      abnormalReason: nullable(text(200, '异常说明')),
      photos: z.array(photo).max(mostCheckInPhotos, `到场照片最多 ${mostCheckInPhotos} 张`).default([]),
      progress: nullable(dict('projectPhase', '形象进度')),
    },
  },
  addUnit: { ...run, label: '加单体', from: ['1'], to: null, asks: { ...unit.shape }, unlogged: true },
  save: { ...run, label: '保存检查', from: ['1'], to: null, asks: { actKey, ...content }, unlogged: true },
  saveUnit: {
    ...run,
    label: '保存单体检查',
    from: ['1'],
    to: null,
    asks: {
      actKey,
      taskId: ref('daycheckUnit'),
      /** Sheets that do not apply as a whole, with the reason; sheets not named apply. */
      notApplicable: z
        .array(z.object({ sheetId: ref('checkSheet'), reason: filled(100, '不涉及原因') }))
        .max(mostUnitSheets)
        .default([]),
      /** Only the items that changed. */
      items: z.array(result).max(400, '检查项过多').default([]),
      /** The unit is finished. */
      done: z.boolean().default(false),
    },
    unlogged: true,
  },
  submitDiscipline: {
    ...run,
    label: '提交专业检查',
    from: ['1'],
    to: null,
    asks: { discipline: dict('checkDiscipline', '专业'), signature: drawnImage.optional(), place: nullable(text(100, '签名地点')) },
  },
  submit: {
    ...run,
    label: '提交检查',
    from: ['1'],
    // 5: every problem was mended on the spot.
    to: ['2', '3', '5'],
    asks: {
      actKey,
      ...content,
      signatures: z
        .array(drawn)
        .max(mostOfficers + 2)
        .default([]),
    },
  },
  remark: {
    label: '提交说明',
    from: submittedDayStates,
    to: null,
    needs: 'supervision.sheetSign',
    acts: 'site',
    turn: 'site',
    asks: { opinion: filled(500, '说明') },
  },
} as const satisfies Record<string, Move<DayCheckState>>
export type DayCheckAction = keyof typeof dayCheckMoves
