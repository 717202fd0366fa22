import { intensityList, perSquareMetres, type SiteIntensity } from '@zhugong/contract/monitoring/meter/meter-intensity'
import type { MeterKind } from '@zhugong/contract/monitoring/meter/meter-settle'
import { Segmented } from 'antd'
import type { ReactNode } from 'react'
import { DataTable } from '#kit/data-table.tsx'
import { Tag } from '#kit/feedback.tsx'
import { day, thousands } from '#kit/format.ts'
import { MonthInput } from '#kit/inputs.tsx'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useProjectCode } from '#kit/me.ts'
import { useGo, usePage, usePageQuery } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'

const water = 'water'

/** Which site uses much for its area and people? */
export function SiteIntensityPage({ kind, switcher }: { kind: MeterKind; switcher: ReactNode }) {
  const projectCode = useProjectCode()
  const query = usePageQuery()
  const page = usePage()
  const go = useGo()
  const requested = query.get('month')
  const month = requested && /^\d{4}-\d{2}$/.test(requested) ? requested : day(Date.now()).slice(0, 7)
  const list = useListPage(intensityList, {
    scope: { projectCode, kind, month },
    own: ['by', 'compare', 'month'],
    defaultSort: '-perArea',
  })
  const unit = kind === water ? 'm³' : 'kWh'
  const put = (more: Record<string, string | undefined>) =>
    go(page.path, { by: query.get('by') ?? undefined, compare: '1', month, ...more }, { replace: true })
  const columns: ColumnOf<typeof intensityList>[] = [
    { key: 'projectName', width: 220, locked: true, filter: 'text', value: (r) => r.projectName },
    { key: 'areaName', width: 110, weak: true, value: (r) => r.areaName },
    { key: 'usage', width: 120, align: 'right', sort: true, value: (r) => thousands(r.usage, 1) },
    { key: 'buildingArea', width: 130, align: 'right', value: (r) => count(r.buildingArea, 0) },
    { key: 'perArea', width: 140, align: 'right', sort: true, filter: 'numeric-range', value: (r) => count(r.perArea, 1) },
    { key: 'workers', width: 124, align: 'right', value: (r) => count(r.workers, 1) },
    { key: 'perWorker', width: 120, align: 'right', sort: true, filter: 'numeric-range', value: (r) => count(r.perWorker, 1) },
    { key: 'locked', width: 92, value: (r: SiteIntensity) => (r.locked ? <Tag tone="neutral">已月结</Tag> : null) },
  ]
  return (
    <ListShell
      remark={`用量按总表，${unit}；每 ${perSquareMetres.toLocaleString('zh-CN')} m² 按登记的建筑面积，人均按当月日均出勤人数`}
      titleActions={
        <>
          <MonthInput aria-label="月份" value={month} onChange={(value) => put({ month: value || undefined })} />
          <Segmented
            aria-label="水电"
            value={kind}
            options={[
              { value: 'electric', label: '用电' },
              { value: water, label: '用水' },
            ]}
            onChange={(value) => put({ by: value === water ? water : undefined })}
          />
          {switcher}
        </>
      }
    >
      <DataTable list={list} columns={columns} rowKey={(row) => row.projectCode} unit="个项目" emptyHint="这个月没有项目的表计有读数" />
    </ListShell>
  )
}

const count = (value: number | null, digits: number) => (value === null ? null : thousands(value, digits))
