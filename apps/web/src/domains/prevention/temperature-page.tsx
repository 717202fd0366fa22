import { tempLevels } from '@zhugong/contract/prevention/codes'
import { listTemperatures, temperatureList } from '@zhugong/contract/prevention/endpoints'
import { Button, Segmented } from 'antd'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { Chart, type ChartOption } from '#kit/chart.tsx'
import { colors } from '#kit/colors.ts'
import { DataTable } from '#kit/data-table.tsx'
import { Card, Empty, FigureStrip } from '#kit/feedback.tsx'
import { day, ratioOf, thousands, time } from '#kit/format.ts'
import { DayInput } from '#kit/inputs.tsx'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useProjectCode } from '#kit/me.ts'
import { hrefOf, useGo, usePage, usePageQuery } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { degrees, HiddenHealth, LevelTag, levelOptions } from './words.tsx'
import './prevention.css'

/** A gate whose mean differs by this much (°C) from the others' is assumed to be wrong. */
const wrongBias = 0.4

/** Measurements of a day: coverage, fevers, and gates that measure wrong. */
export default function TemperaturePage() {
  const query = usePageQuery()
  const { path } = usePage()
  const go = useGo()
  const projectCode = useProjectCode()
  const date = query.get('date') ?? undefined
  const tab = query.get('tab') ?? 'all'
  const scope = useMemo(
    () => ({ projectCode, date: date || undefined, unmeasured: tab === 'unmeasured' ? true : undefined }),
    [projectCode, date, tab],
  )
  const list = useListPage(temperatureList, { scope, own: useMemo(() => ['date', 'tab'], []) })
  const { data } = useCall(
    listTemperatures,
    { query: { projectCode, date, size: 1 } },
    { quiet: true, keepPrevious: true, everyMs: 120_000 },
  )
  const turn = (change: Record<string, string | undefined>) => go(path, { date, tab, ...change }, { replace: true })
  const columns: ColumnOf<typeof temperatureList>[] = [
    {
      key: 'name',
      width: 92,
      filter: 'text',
      sort: true,
      locked: true,
      value: (r) => <Link to={hrefOf('/personnelSystem/info/virusProtect', { id: r.workerId })}>{r.name}</Link>,
    },
    { key: 'projectName', width: 150, hidden: projectCode !== '*', value: (r) => r.projectName },
    { key: 'teamName', width: 110, value: (r) => r.teamName },
    { key: 'corpName', width: 150, weak: true, value: (r) => r.corpName },
    {
      key: 'temperature',
      width: 100,
      align: 'right',
      sort: true,
      filter: data?.health ? 'numeric-range' : undefined,
      value: (r) => <span className={r.level !== tempLevels.normal || r.fault ? 'tone-danger' : ''}>{degrees(r.temperature)}</span>,
    },
    {
      key: 'level',
      width: 96,
      filter: 'multi',
      options: levelOptions,
      value: (r) => <LevelTag level={r.fault ? '2' : r.level} name={r.levelName} />,
    },
    { key: 'measureTime', width: 152, sort: true, value: (r) => (r.measureTime ? time(r.measureTime) : '未测') },
    { key: 'channel', width: 110, value: (r) => r.channel },
  ]
  return (
    <ListShell
      remark={data ? `${data.date}，35.0 至 42.0 °C 以外为设备异常，另计` : undefined}
      titleActions={
        <span className="prevention-dates">
          <DayInput aria-label="日期" max={day(Date.now())} value={date ?? data?.date ?? null} onChange={(next) => turn({ date: next })} />
          <Button onClick={() => turn({ date: undefined })}>今天</Button>
        </span>
      }
      strip={
        <FigureStrip
          loading={!data}
          items={[
            {
              label: '测温人数',
              value: thousands(data?.figures.people),
              unit: '人',
              remark: data ? `到场 ${thousands(data.figures.came)} 人` : undefined,
            },
            {
              label: data?.mode ? '覆盖率' : '已测占比',
              value: data ? ratioOf(data.figures.people, data.figures.came) : '--',
              remark: data?.mode ? '防疫模式：须人人测温' : '未开防疫模式，不追测',
              tone: data?.mode && data.figures.people < data.figures.came ? 'warning' : undefined,
            },
            {
              label: '异常',
              value: thousands(data?.figures.abnormal),
              unit: '人',
              tone: data?.figures.abnormal ? 'danger' : undefined,
              href: data && hrefOf('/tempAlarmRecord', { time: `${data.date},${data.date}` }),
              remark: '在体温预警记录处理',
            },
            {
              label: '平均',
              value: data?.figures.mean?.toFixed(1) ?? '--',
              unit: '°C',
              remark: data?.figures.faults ? `设备异常 ${data.figures.faults} 次` : undefined,
            },
          ]}
        />
      }
      above={
        !data ? (
          <div className="zg-bone prevention-wait" />
        ) : (
          <>
            {!data.health && <HiddenHealth />}
            {data.health && <Spread spread={data.spread} gates={data.gates} named={projectCode === '*'} />}
          </>
        )
      }
    >
      <DataTable
        list={list}
        columns={columns}
        unit={tab === 'unmeasured' ? '人' : '次'}
        name={`temperature-${tab}`}
        exportTitle="人员体温记录"
        toolbar={
          <Segmented
            value={tab}
            options={[
              { value: 'all', label: '全部' },
              { value: 'unmeasured', label: '未测人员' },
            ]}
            onChange={(next) => turn({ tab: String(next) })}
          />
        }
        search={{ key: 'name', placeholder: '姓名' }}
        emptyHint={tab === 'unmeasured' ? '到场的人都测过了' : '闸机带测温时，每次通行的体温出现在这里'}
      />
    </ListShell>
  )
}

/** Distribution of the day's values in steps of 0.1 °C, and means by gate, which show a gate that measures too high. */
function Spread({
  spread,
  gates,
  named,
}: {
  spread: readonly { value: number; count: number }[]
  gates: readonly {
    projectName: string
    terminalCode: string
    channel: string | null
    count: number
    mean: number | null
    bias: number | null
  }[]
  /** Over several sites gate names repeat, so the project is shown before the name. */
  named: boolean
}) {
  const option = useMemo<ChartOption>(
    () => ({
      grid: { left: 8, right: 16, top: 12, bottom: 8, containLabel: true },
      tooltip: { trigger: 'axis' },
      xAxis: { type: 'category', data: spread.map((s) => s.value.toFixed(1)) },
      yAxis: { type: 'value', minInterval: 1 },
      series: [
        {
          type: 'bar',
          name: '次数',
          data: spread.map((s) => ({ value: s.count, itemStyle: { color: s.value >= 37.3 ? colors.danger : colors.primary } })),
        },
      ],
    }),
    [spread],
  )
  return (
    <div className="pv-panels">
      <Card title="体温分布" remark="每 0.1 °C">
        {/* As high as the chart: before the first measurement of a day the list below must not move up. */}
        {spread.length === 0 ? (
          <div className="pv-none">
            <Empty small text="当日没有测温" />
          </div>
        ) : (
          <Chart height={140} label="体温分布" option={option} />
        )}
      </Card>
      <Card title="各闸机" remark={`与本场平均相差 ${wrongBias} °C 以上须校准`} flush>
        {gates.length === 0 ? (
          <Empty small text="当日没有测温" />
        ) : (
          <ul className="pv-gates">
            {gates.slice(0, 5).map((g) => (
              <li key={`${g.projectName}${g.terminalCode}`}>
                <span title={g.projectName}>{`${named ? `${g.projectName} ` : ''}${g.channel ?? g.terminalCode}`}</span>
                <span>{thousands(g.count)} 次</span>
                <span>{degrees(g.mean)}</span>
                <span className={g.bias !== null && Math.abs(g.bias) >= wrongBias ? 'tone-danger' : 'zg-2'}>
                  {g.bias === null ? '--' : `${g.bias > 0 ? '+' : ''}${g.bias.toFixed(1)}`}
                </span>
              </li>
            ))}
          </ul>
        )}
      </Card>
    </div>
  )
}
