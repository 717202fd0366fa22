import {
  listProjectStats,
  type ProjectStatsRow,
  projectStatsList,
  projectStatsTotals,
  type RatioKey,
  ratioKeys,
} from '@zhugong/contract/labour/tables'
import { projectStates } from '@zhugong/contract/organisation/codes'
import { Button } from 'antd'
import { useMemo, useState } from 'react'
import { useCall } from '#kit/call.ts'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { FigureStrip, Tag } from '#kit/feedback.tsx'
import { month, thousands } from '#kit/format.ts'
import { MonthInput } from '#kit/inputs.tsx'
import { queryOf, useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useProjectScope } from '#kit/me.ts'
import { hrefOf, useGo, usePage, usePageQuery } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { Comparison } from './stats-bars.tsx'
import { peopleBehind, ratioColumns, sumCells } from './stats-cells.tsx'
import './labour.css'

const main: readonly RatioKey[] = ['realName', 'contract', 'training', 'cert', 'attend', 'keyPost']
const mostCompared = 5

/** Projects compared by real-name registration this month. */
export default function ProjectTablePage() {
  const go = useGo()
  const page = usePage()
  const query = usePageQuery()
  const requested = query.get('month') ?? month(Date.now())
  const govCode = query.get('govCode') ?? undefined
  const scope = useProjectScope()
  const given = useMemo(() => ({ ...scope, month: requested, govCode: govCode || undefined }), [scope, requested, govCode])
  const totals = useCall(projectStatsTotals, { query: { ...scope, month: requested } }, { quiet: true, keepPrevious: true })
  const dicts = useDicts('projectState', 'projectCategory')
  const list = useListPage(projectStatsList, { scope: given, own: ['month', 'govCode'], defaultSort: '-failing' })
  const [chosen, setChosen] = useState<readonly ProjectStatsRow[]>([])
  const worst = useCall(listProjectStats, { query: { ...given, sort: '-failing', size: mostCompared } }, { quiet: true })
  const t = totals.data
  const linkOf = (key: RatioKey, r: ProjectStatsRow) => {
    const missing = peopleBehind[key]
    if (missing) return hrefOf('/personList', { projectCode: r.projectCode, stationed: '1', missing })
    return key === 'attend' ? hrefOf('/attendance', { projectCode: r.projectCode, month: requested }) : undefined
  }
  const columns: ColumnOf<typeof projectStatsList>[] = [
    { key: 'name', width: 200, locked: true, sort: true, filter: 'text', value: (r) => r.name },
    { key: 'contractorName', width: 168, hidden: true, value: (r) => r.contractorName },
    { key: 'area', width: 88, filter: 'area-cascader', value: (r) => r.areaName },
    { key: 'prjStatus', width: 88, filter: 'multi', options: dicts.options('projectState'), value: (r) => r.prjStatusName },
    { key: 'onSite', width: 96, align: 'right', sort: true, filter: 'numeric-range', value: (r) => thousands(r.onSite) },
    ...ratioColumns<ProjectStatsRow>(ratioKeys, { hidden: ratioKeys.filter((key) => !main.includes(key)), linkOf }),
    {
      key: 'alarms',
      width: 96,
      align: 'right',
      sort: true,
      value: (r) => (r.alarms ? <span className="tone-danger">{r.alarms}</span> : 0),
    },
    {
      key: 'failing',
      width: 132,
      sort: true,
      filter: 'numeric-range',
      value: (r) =>
        r.prjStatus !== projectStates.building ? (
          <span className="zg-2">不评定</span>
        ) : r.failing ? (
          <Tag tone={r.failing > 2 ? 'danger' : 'warning'} icon={false}>
            {r.failing} 项，{r.worst}最差
          </Tag>
        ) : (
          <Tag tone="fine">全部达标</Tag>
        ),
    },
    { key: 'rank', width: 88, align: 'right', sort: true, value: (r) => r.rank ?? <span className="zg-2">不排名</span> },
  ]
  const compared = chosen.length > 1 ? chosen : (worst.data?.list ?? [])
  return (
    <ListShell
      remark={govCode ? '只含所选机构监管的项目' : '合计按人数计算，不是各项目比例的平均'}
      actions={
        <>
          <span className="zg-w-132">
            <MonthInput
              value={requested}
              max={month(Date.now())}
              onChange={(next) => go(page.path, { month: next, govCode }, { replace: true })}
            />
          </span>
          {govCode && <Button onClick={() => go(page.path, { month: requested }, { replace: true })}>看全部项目</Button>}
          {chosen.length > 1 && <Button onClick={() => setChosen([])}>取消对比</Button>}
        </>
      }
      strip={
        <FigureStrip
          loading={!totals.data}
          items={[
            { label: '项目数', value: thousands(t?.rows), unit: '个' },
            { label: '在册', value: thousands(t?.onSite), unit: '人' },
            {
              label: '未达标项目',
              value: thousands(t?.failing),
              unit: '个',
              remark: '在建，任一比例低于达标线',
              href: hrefOf('/projectTable', { month: requested, govCode, failing: '1,' }),
              tone: t?.failing ? 'warning' : undefined,
            },
            { label: '停工', value: thousands(t?.stopped), unit: '个', remark: '不计出勤与到岗' },
          ]}
        />
      }
      above={
        <Comparison
          requested={queryOf(list)}
          title={chosen.length > 1 ? `对比 ${chosen.length} 个项目` : '未达标最多的项目'}
          keys={main}
          rows={compared.slice(0, mostCompared).map((r) => ({ key: r.projectCode, name: r.name, cells: r }))}
        />
      }
    >
      <DataTable
        list={list}
        columns={columns}
        rowKey="projectCode"
        unit="个"
        search={{ key: 'name', placeholder: '项目名称' }}
        sums={t ? { name: '合计', onSite: thousands(t.onSite), ...sumCells(t.sum) } : undefined}
        actions={(r) => [
          {
            label: chosen.some((c) => c.projectCode === r.projectCode) ? '移出对比' : '加入对比',
            onClick: () =>
              setChosen((now) =>
                now.some((c) => c.projectCode === r.projectCode)
                  ? now.filter((c) => c.projectCode !== r.projectCode)
                  : [...now, r].slice(-mostCompared),
              ),
          },
        ]}
      />
    </ListShell>
  )
}
