import { z } from 'zod'
import { day, filled, nullable, ref, text } from '../kit/fields.ts'
import { dict } from '../settings/dict-field.ts'

/** What a day recorded by itself, and what a log can refer to. */
export const factKinds = {
  gang: '出勤班组',
  machine: '机械运行',
  check: '检查',
  rectify: '整改',
  alarm: '告警',
  permit: '作业票',
  briefing: '安全技术交底',
  training: '培训',
  step: '工序验收',
  material: '材料进场',
  task: '进度任务',
} as const
export type FactKind = keyof typeof factKinds

export const mostFacts = 200
export const mostProblems = 20
export const mostLogPhotos = 12
const mostVisited = 20
export const mostBlocks = 20
export const mostPours = 20
const mostLogTasks = 100
const longest = 2000
const mostWorkers = 50_000
const mostForce = 17
const hottest = 60
const coldest = -60
const mostVolume = 100_000

const photos = z.array(text(400, '照片')).max(mostLogPhotos, `照片最多 ${mostLogPhotos} 张`).default([])
const degrees = (label: string) =>
  nullable(
    z.coerce
      .number({ error: `${label}应为数字` })
      .min(coldest, `${label}过低`)
      .max(hottest, `${label}过高`),
  )

/** A record of the day that the log refers to; its words come from the record itself. */
const factInput = z.object({
  kind: z.enum(Object.keys(factKinds) as [FactKind, ...FactKind[]], { error: '没有这类记录' }),
  refId: text(64, '编号').min(1, '请选择记录'),
})
export type FactInput = z.output<typeof factInput>

const problemInput = z.object({
  description: filled(500, '问题'),
  /** The order that it became. */
  rectifyId: nullable(ref('rectify')),
})

/** What every log says. */
const common = {
  day,
  weather: nullable(dict('weather', '天气')),
  tempHigh: degrees('最高温'),
  tempLow: degrees('最低温'),
  wind: nullable(z.coerce.number({ error: '风力应为数字' }).int('风力为整数级').min(0, '风力 0-17 级').max(mostForce, '风力 0-17 级')),
  parts: text(longest, '施工部位与内容').default(''),
  problems: z.array(problemInput).max(mostProblems, `问题最多 ${mostProblems} 条`).default([]),
  tomorrow: nullable(text(1000, '明日要点')),
  photos,
  facts: z.array(factInput).max(mostFacts, `系统带入的记录最多 ${mostFacts} 条`).default([]),
  /** Needed from 48 hours after the day on. */
  lateReason: nullable(text(500, '补记原因')),
}
const onSite = {
  ...common,
  workerCount: nullable(z.coerce.number({ error: '人数应为数字' }).int('人数应为整数').min(0, '人数不能为负').max(mostWorkers, '人数过多')),
  machines: nullable(text(500, '其他机械')),
}

/** 项目安全日志. */
export const safetyFields = { ...onSite, safetyState: text(longest, '安全生产情况').default('') }

/** 本单位日志: what somebody of a supervising institution saw on several sites. */
export const ownFields = {
  ...common,
  projects: z.array(ref('project')).max(mostVisited, `涉及项目最多 ${mostVisited} 个`).default([]),
  safetyState: text(longest, '安全生产情况').default(''),
}

/** What kept the site from working. */
export const impacts = { none: '无影响', weather: '天气影响', stop: '停工影响', other: '其他影响' } as const
export type Impact = keyof typeof impacts

const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, '时刻格式应为 HH:mm')
const pourInput = z
  .object({
    part: filled(100, '浇筑部位'),
    grade: filled(20, '强度等级'),
    volume: z.coerce.number({ error: '方量应为数字' }).positive('方量应大于 0').max(mostVolume, '方量过大'),
    from: clock,
    until: clock,
  })
  .refine((one) => one.until > one.from, { error: '结束应晚于开始', path: ['until'] })
const percent = z.coerce.number({ error: '完成百分比应为数字' }).min(0, '完成百分比 0-100').max(100, '完成百分比 0-100')
const taskInput = z.object({ taskId: ref('scheduleTask'), percent, reason: text(500, '原因').default('') })

/** One part of the day's work, by one writer. */
export const blockFields = { part: filled(100, '部位'), gang: nullable(text(50, '班组')), content: filled(1000, '完成情况') }

/** 施工日志 of one unit of the works. */
export const constructionFields = {
  ...onSite,
  unitId: ref('unitProject'),
  qualityState: text(longest, '质量情况').default(''),
  impact: z.enum(Object.keys(impacts) as [Impact, ...Impact[]], { error: '请选择是否影响施工' }).default('none'),
  /** 窝工: people who came and could not work. */
  idleCount: nullable(
    z.coerce.number({ error: '窝工人次应为数字' }).int('窝工人次应为整数').min(0, '窝工人次不能为负').max(mostWorkers, '窝工人次过多'),
  ),
  tasks: z.array(taskInput).max(mostLogTasks, `任务最多 ${mostLogTasks} 项`).default([]),
  pours: z.array(pourInput).max(mostPours, `浇筑最多 ${mostPours} 次`).default([]),
  blocks: z.array(z.object(blockFields)).max(mostBlocks, `分项最多 ${mostBlocks} 个`).default([]),
}
