import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { filled, ofProject, paged, pageQuery, ref, text } from '../kit/fields.ts'
import { epoch } from '../telemetry/model.ts'

/** Source of dust or noise according to the site. */
export const causeSources = {
  earthwork: '土方作业',
  road: '道路与车辆',
  pour: '混凝土浇筑',
  nearby: '周边影响',
  device: '监测设备',
  other: '其他',
} as const
export type CauseSource = keyof typeof causeSources
const sources = Object.keys(causeSources) as [CauseSource, ...CauseSource[]]
/** Alarms about data quality or failed linkage: no limit was exceeded. */
export const noExceedance: readonly string[] = ['offline', 'constantValue', 'linkageFailed']
const mostFiles = 6
/** Most causes per exceedance. */
export const mostCauses = 10

export const exceedCause = z.object({
  id: z.string(),
  projectCode: z.string(),
  alarmId: z.string(),
  source: z.enum(sources),
  text: z.string(),
  files: z.array(z.string()),
  byName: z.string(),
  at: epoch,
})
export type ExceedCause = z.infer<typeof exceedCause>

const path = '/api/v1/oa/process/exceedCause'
export const listCauses = endpoint({
  method: 'GET',
  path,
  summary: '超标原因说明',
  needs: ['alarm.view', 'environment.view'],
  answers: 'list',
  query: pageQuery.extend({ ...ofProject.shape, alarmId: ref('alarm') }),
  response: paged(exceedCause),
})
/** Entered by the site, independent of the alarm's handling; entries are appended, never replaced. */
export const stateCause = endpoint({
  method: 'POST',
  path,
  summary: '说明超标原因',
  needs: ['alarm.handle', 'environment.maintain'],
  query: ofProject,
  body: z.object({
    alarmId: ref('alarm'),
    source: z.enum(sources, { error: '请选择来源' }),
    text: filled(300, '原因说明'),
    files: z.array(text(400, '照片')).max(mostFiles, `照片最多 ${mostFiles} 张`).default([]),
  }),
  response: z.object({ id: z.string() }),
})
