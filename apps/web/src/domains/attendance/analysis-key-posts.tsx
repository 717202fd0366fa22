import { statsList } from '@zhugong/contract/attendance/stats'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { Chart, type ChartOption } from '#kit/chart.tsx'
import { colors } from '#kit/colors.ts'
import { DataTable } from '#kit/data-table.tsx'
import { Card, Empty, FigureStrip } from '#kit/feedback.tsx'
import { month as monthText } from '#kit/format.ts'
import { MonthInput } from '#kit/inputs.tsx'
import { useListPage } from '#kit/list.ts'
import { hrefOf, useGo } from '#kit/page.tsx'
import { usePageParams } from './page-params.ts'
import { most } from './stats-query.ts'

export function KeyPosts({ projectCode }: { projectCode: string }) {
  const go = useGo()
  const [params, setParams] = usePageParams()
  const month = params.get('month') ?? monthText(Date.now())
  const query = useMemo(() => ({ projectCode, month }), [projectCode, month])
  const list = useListPage(statsList, { params: { type: 'keyPost' }, scope: query, inUrl: false })
  const all = useCall(statsList, { params: { type: 'keyPost' }, query: { ...query, size: most } }, { quiet: true, keepPrevious: true })
  const rows = useMemo(() => all.data?.list ?? [], [all.data])
  const below = rows.filter((r) => r.below)
  const option = useMemo<ChartOption>(() => {
    const shown = rows.filter((r) => r.presence !== null).toSorted((a, b) => (b.presence ?? 0) - (a.presence ?? 0))
    return {
      // The space above holds the label of the required rate.
      grid: { left: 8, right: 40, top: 24, bottom: 8, containLabel: true },
      tooltip: { trigger: 'axis', axisPointer: { type: 'shadow' } },
      xAxis: { type: 'value', max: 100, axisLabel: { formatter: '{value} %' } },
      yAxis: { type: 'category', data: shown.map((r) => `${r.name ?? ''} ${r.postName ?? ''}`) },
      series: [
        {
          name: '到岗率',
          type: 'bar',
          barMaxWidth: 14,
          data: shown.map((r) => ({ value: r.presence, itemStyle: { color: r.below ? colors.danger : colors.primary } })),
          markLine: { symbol: 'none', label: { formatter: '{c} %' }, data: [{ xAxis: 80 }] },
        },
      ],
    }
  }, [rows])
  return (
    <>
      <FigureStrip
        loading={!all.data}
        items={[
          { label: '关键岗位', value: rows.length, unit: '人', remark: month },
          { label: '到岗率不足', value: below.length, unit: '人', tone: below.length ? 'danger' : undefined },
          {
            label: '最低',
            value:
              rows
                .flatMap((r) => r.presence ?? [])
                .toSorted((a, b) => a - b)[0]
                ?.toFixed(1) ?? '--',
            unit: '%',
            remark: below.toSorted((a, b) => (a.presence ?? 0) - (b.presence ?? 0))[0]?.name ?? undefined,
          },
          { label: '含补录的天数', value: rows.reduce((n, r) => n + r.corrected, 0), unit: '天', remark: '更正须监理或建设单位同意' },
        ]}
      />
      <div className="att-panels">
        <Card
          title="到岗率"
          remark="红色为低于要求"
          actions={
            <div className="zg-w-120">
              <MonthInput aria-label="月份" value={month} onChange={(next) => setParams({ month: next })} />
            </div>
          }
        >
          {all.data && rows.length === 0 ? (
            <Empty small text="没有关键岗位人员" hint="在人员进场时选择岗位" />
          ) : (
            <Chart height={Math.max(200, 24 + rows.length * 26)} label="关键岗位到岗率" option={option} />
          )}
        </Card>
        <Card title="到岗明细" flush className="att-rank">
          <DataTable
            list={list}
            unit="人"
            name="attendance-key-posts"
            columns={[
              {
                key: 'name',
                title: '姓名',
                width: 80,
                locked: true,
                value: (r) => <Link to={hrefOf('/SingleAttendance', { workerId: r.code, month })}>{r.name}</Link>,
              },
              { key: 'postName', title: '岗位', width: 110, value: (r) => r.postName },
              { key: 'projectName', title: '项目', width: 120, hidden: projectCode !== '*', value: (r) => r.projectName },
              { key: 'required', title: '应到', width: 60, align: 'right', value: (r) => r.required },
              { key: 'present', title: '实到', width: 60, align: 'right', value: (r) => r.present },
              {
                key: 'presence',
                title: '到岗率 %',
                width: 84,
                align: 'right',
                value: (r) => (r.presence === null ? '--' : <span className={r.below ? 'tone-danger' : ''}>{r.presence.toFixed(1)}</span>),
              },
              { key: 'needed', title: '须到', width: 60, align: 'right', value: (r) => r.needed },
              { key: 'leave', title: '请假', width: 60, align: 'right', value: (r) => r.leave },
              { key: 'corrected', title: '更正', width: 60, align: 'right', value: (r) => r.corrected },
            ]}
            onRow={(r) => go('/SingleAttendance', { workerId: r.code, month })}
          />
        </Card>
      </div>
    </>
  )
}
