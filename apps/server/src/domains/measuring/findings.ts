import { measureSource } from '@zhugong/contract/quality/improvement-moves'
import { sql } from 'kysely'
import { registerImprovementSource } from '../quality/public.ts'

/** Points that fit on the form of an improvement; the worst are offered. */
const mostOffered = 60

/** 轴线截面偏差 and 其他 in dictionary qualityProblem. */
const problemOf = { structure: '04', other: '99' } as const
/** First digit of the items of the concrete structure (dictionary measureItem). */
const structure = '1'

interface Point {
  id: string
  code: string
  projectCode: string
  corpCode: string
  itemCode: string
  part: string
  standardName: string
  areaNo: number
  pointNo: number
  value: number
  deviation: number | null
  photos: string[]
  at: Date
}

/** Points that failed and have not passed a retest are what a quality improvement can begin with. */
export function registerMeasureFindings(): void {
  registerImprovementSource(measureSource, {
    title: '实测',
    page: ({ code }) => `/measure_task?taskNo=${encodeURIComponent(code ?? '')}`,
    findings: async (ctx, which) => {
      const one =
        'ids' in which ? sql`p.id = any (${[...which.ids]})` : sql`p.project_code = ${which.projectCode} and p.at >= ${which.since}`
      const { rows } = await sql<Point>`select p.id, t.task_no as code, p.project_code, p.corp_code, p.item_code, q.full_name as part,
          i.standard_name, p.area_no, p.point_no, p.value, p.deviation, p.photos, p.at
        from measure_point p join measure_task t on t.id = p.task_id join site_place q on q.id = p.place_id
          join measure_area a on a.id = p.area_id join measure_task_item i on i.task_id = a.task_id and i.no = a.item_no
        where coalesce(p.retest_result, p.result) in ('2', '3') and p.corp_code is not null and ${one}
        order by abs(p.deviation) desc nulls last, p.id limit ${mostOffered}`.execute(ctx.db)
      return rows.map(({ itemCode, standardName, areaNo, pointNo, value, deviation, ...row }) => ({
        ...row,
        qualityProblem: itemCode.startsWith(structure) ? problemOf.structure : problemOf.other,
        text: `${standardName}不合格，测区 ${areaNo} 测点 ${pointNo}`,
        measured: deviation === null ? String(value) : `${value}（偏差 ${deviation}）`,
      }))
    },
  })
}
