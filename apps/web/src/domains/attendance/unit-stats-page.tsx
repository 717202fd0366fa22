import { PrinterOutlined } from '@ant-design/icons'
import { corpStats, inPlaceStats, unitRankList } from '@zhugong/contract/attendance/stats'
import { Button, Select } from 'antd'
import { useMemo, useState } from 'react'
import { useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { Chart, type ChartOption } from '#kit/chart.tsx'
import { colors } from '#kit/colors.ts'
import { DataTable } from '#kit/data-table.tsx'
import { usePrint } from '#kit/export.tsx'
import { Card, Empty, ErrorPanel, FigureStrip } from '#kit/feedback.tsx'
import { thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { PageShell } from '#kit/list-shell.tsx'
import { useGo } from '#kit/page.tsx'
import { HeatBoard } from './heat-board.tsx'
import { type Behind, PeopleDrawer } from './people-drawer.tsx'
import { shiftDate } from './sheet-mark.ts'
import { type Period, PeriodBar, usePeriod } from './stats-period.tsx'
import { changeWords, isRest, percent, type UnitDays, unitsOf } from './stats-words.ts'
import './attendance.css'

/** Lines that can still be told apart. */
const mostLines = 6
/** A page of a call; a site has fewer units, and a year of six of them has more days than this. */
const most = 1000

/** Which unit really has its people and its managers here? */
export default function UnitStatsPage() {
  const [period, setParams, params] = usePeriod()
  const [behind, setBehind] = useState<Behind>()
  const print = usePrint('attendanceUnit')
  const query = { projectCode: period.projectCode, startDate: period.startDate, endDate: period.endDate, workRole: period.workRole }
  const ranks = useCall(corpStats.rank, { query: { ...query, size: most } }, { quiet: true, keepPrevious: true })
  // The site as one, of the very days behind the rows; its managers apart.
  const whole = useCall(inPlaceStats.byDay, { query: { ...query, size: most } }, { quiet: true, keepPrevious: true })
  const managers = useCall(inPlaceStats.byDay, { query: { ...query, workRole: '10', size: most } }, { quiet: true, keepPrevious: true })
  const units = useMemo(() => ranks.data?.list ?? [], [ranks.data])
  const named = params.get('units')
  const asked = useMemo(() => named?.split(',') ?? [], [named])
  const compared = useMemo(() => units.filter((u) => asked.length === 0 || asked.includes(u.code)).slice(0, mostLines), [units, asked])
  const inPlace = units.reduce((n, u) => n + u.inPlace, 0)
  const all = sumOfDays(whole.data?.list)
  const lowest = units.filter((u) => u.rate !== null && u.inPlace >= 5).toSorted((a, b) => (a.rate ?? 0) - (b.rate ?? 0))[0]
  const bosses = sumOfDays(managers.data?.list)
  const open = (more: Partial<Behind> & Pick<Behind, 'title' | 'state'>) => setBehind({ scope: 'corp', ...query, ...more })
  if (ranks.error) return <ErrorPanel error={ranks.error} retry={ranks.refetch} />
  return (
    <PageShell
      remark="出勤率 = 出勤人天 ÷ 当日在册人天，在册按当日计"
      actions={
        <>
          <PeriodBar period={period} params={params} onChange={setParams} />
          <Can code="attendance.export">
            <Button
              icon={<PrinterOutlined />}
              loading={print.running}
              onClick={() => void print.run({ body: { feature: 'attendanceUnit', exportType: 'pdf', query } })}
            >
              打印
            </Button>
          </Can>
        </>
      }
    >
      <FigureStrip
        loading={ranks.isPending}
        items={[
          { label: '在场单位', value: units.length, unit: '家', remark: `在册 ${thousands(inPlace)} 人` },
          {
            label: '出勤率',
            value: percent(all.attended, all.inPlace)?.toFixed(1) ?? '--',
            unit: '%',
            remark: `出勤 ${thousands(all.attended)} 人天`,
          },
          {
            label: '管理人员到岗率',
            value: percent(bosses.attended, bosses.inPlace)?.toFixed(1) ?? '--',
            unit: '%',
            remark: `到岗 ${thousands(bosses.attended)} 人天`,
          },
          {
            label: '最低单位',
            value: lowest?.rate?.toFixed(1) ?? '--',
            unit: '%',
            tone: lowest && (lowest.rate ?? 100) < 70 ? 'danger' : undefined,
            remark: lowest?.name ?? '5 人以上的单位',
          },
        ]}
      />
      <div className="att-panels att-level">
        <DailyLines
          period={period}
          compared={compared}
          chooser={
            <Select
              mode="multiple"
              aria-label="对比单位"
              placeholder={`对比单位，最多 ${mostLines} 家`}
              style={{ minWidth: 220, maxWidth: 420 }}
              maxCount={mostLines}
              maxTagCount={1}
              value={asked}
              options={units.map((u) => ({ value: u.code, label: u.name ?? u.code }))}
              onChange={(next: string[]) => setParams({ units: next.join(',') || undefined })}
            />
          }
          onDay={(unit, date) =>
            open({
              title: `${unit.name} ${date} 出勤`,
              state: 'attended',
              corpCode: unit.corpCode ?? undefined,
              startDate: date,
              endDate: date,
            })
          }
        />
        <Hours
          period={period}
          onHour={(corpCode, name, hour, date) =>
            open({ title: `${name} ${date} ${hour} 时末在场`, state: 'inPlace', corpCode, hour, date, startDate: date, endDate: date })
          }
        />
        <Trades
          period={period}
          onTrade={(corpCode, name, workType, trade) =>
            open({
              title: `${name} ${trade}`,
              state: 'attended',
              corpCode,
              ...(workType === 'manager' ? { workRole: '10' } : { workType }),
            })
          }
        />
        <Ranking period={period} onUnit={(code, name, state, words) => open({ title: `${name} ${words}`, state, corpCode: code })} />
      </div>
      <PeopleDrawer behind={behind} onClose={() => setBehind(undefined)} />
    </PageShell>
  )
}

const sumOfDays = (days: readonly { attended: number; inPlace: number }[] = []) => ({
  attended: days.reduce((n, d) => n + d.attended, 0),
  inPlace: days.reduce((n, d) => n + d.inPlace, 0),
})

const queryOf = ({ projectCode, startDate, endDate, workRole }: Period) => ({ projectCode, startDate, endDate, workRole })

function DailyLines({
  period,
  compared,
  chooser,
  onDay,
}: {
  period: Period
  compared: readonly { code: string; name: string | null }[]
  chooser: React.ReactNode
  onDay: (unit: UnitDays, date: string) => void
}) {
  const { data, error, refetch } = useCall(
    corpStats.byDay,
    { query: { ...queryOf(period), size: most } },
    { quiet: true, keepPrevious: true },
  )
  const shown = useMemo(() => {
    const codes = new Set(compared.map((c) => c.code))
    return unitsOf(data?.list ?? []).filter((u) => u.corpCode !== null && codes.has(u.corpCode))
  }, [data, compared])
  const option = useMemo<ChartOption>(() => {
    const dates = [...new Set(shown.flatMap((u) => u.days.map((d) => d.date)))].sort()
    const stopped = dates.filter((date) => shown.length > 0 && shown.every((u) => u.days.some((d) => d.date === date && isRest(d))))
    return {
      grid: { left: 8, right: 16, top: 36, bottom: 8, containLabel: true },
      legend: { top: 0, type: 'scroll' },
      tooltip: { trigger: 'axis' },
      xAxis: { type: 'category', data: dates.map((d) => d.slice(5)) },
      yAxis: { type: 'value', min: 0, max: 100, axisLabel: { formatter: '{value} %' } },
      series: shown.map((u, i) => ({
        type: 'line',
        name: u.name,
        showSymbol: dates.length <= 40,
        connectNulls: true,
        data: dates.map((date) => {
          const d = u.days.find((one) => one.date === date)
          return d && !isRest(d) ? d.rate : null
        }),
        ...(i === 0
          ? {
              markArea: {
                silent: true,
                itemStyle: { color: colors.sunken },
                data: stopped.map((d) => [{ xAxis: d.slice(5) }, { xAxis: shiftDate(d, 1).slice(5) }]),
              },
            }
          : {}),
      })),
    }
  }, [shown])
  const dates = [...new Set(shown.flatMap((u) => u.days.map((d) => d.date)))].sort()
  return (
    <Card title="每日出勤率" remark="灰底为休息或停工，不画" actions={chooser} className="wide">
      {error ? (
        <ErrorPanel error={error} retry={refetch} />
      ) : !data ? (
        <div className="zg-bone att-wait" />
      ) : shown.length === 0 ? (
        <Empty small text="这段时间没有在场单位" />
      ) : (
        <Chart
          height={280}
          label={`每日出勤率：${shown.map((u) => u.name).join('、')}`}
          option={option}
          onClick={({ seriesName, dataIndex }) => {
            const unit = shown.find((u) => u.name === seriesName)
            const date = dates[dataIndex]
            if (unit && date) onDay(unit, date)
          }}
        />
      )}
    </Card>
  )
}

function Hours({ period, onHour }: { period: Period; onHour: (corpCode: string, name: string, hour: string, date: string) => void }) {
  const date = period.endDate
  const { data, error, refetch } = useCall(
    corpStats.byHour,
    { query: { projectCode: period.projectCode, workRole: period.workRole, date, size: most } },
    { quiet: true, keepPrevious: true },
  )
  const rows = data?.list ?? []
  const peak = Math.max(1, ...rows.flatMap((r) => r.hours.map((h) => h.onDuty)))
  return (
    <Card title="进出时段" remark={`${date}，每小时末在场人数；点格看人`} className="wide">
      {error ? (
        <ErrorPanel error={error} retry={refetch} />
      ) : !data ? (
        <div className="zg-bone att-wait" />
      ) : rows.length === 0 ? (
        <Empty small text="当日没有数据" />
      ) : (
        <HeatBoard
          label="各单位每小时末在场人数"
          heads={(rows[0]?.hours ?? []).map((h) => h.hour)}
          rows={rows.map((r) => ({
            key: r.corpCode ?? '',
            title: r.corpName ?? r.corpCode,
            cells: r.hours.map((h) => ({
              text: h.onDuty ? String(h.onDuty) : '',
              share: h.onDuty / peak,
              words: `${r.corpName ?? ''} ${h.hour} 时：进 ${h.inCount}，出 ${h.outCount}，末在场 ${h.onDuty}`,
            })),
          }))}
          onCell={(key, i) => {
            const row = rows.find((r) => r.corpCode === key)
            const hour = row?.hours[i]?.hour
            if (row && hour) onHour(key, row.corpName ?? key, hour, date)
          }}
        />
      )}
    </Card>
  )
}

/** Trades that stand apart in a bar; the rest are one. */
const mostTrades = 6

function Trades({
  period,
  onTrade,
}: {
  period: Period
  onTrade: (corpCode: string, name: string, workType: string, trade: string) => void
}) {
  const { data, error, refetch } = useCall(
    corpStats.byWorkType,
    { query: { ...queryOf(period), size: most } },
    { quiet: true, keepPrevious: true },
  )
  const rows = useMemo(() => data?.list ?? [], [data])
  const { option, names, trades } = useMemo(() => {
    const sums = new Map<string, { name: string; days: number }>()
    for (const r of rows) {
      const held = sums.get(r.workType) ?? { name: r.workTypeName ?? '未填工种', days: 0 }
      sums.set(r.workType, { ...held, days: held.days + r.personDays })
    }
    const order = [...sums].toSorted(([, a], [, b]) => b.days - a.days)
    const main = order.slice(0, mostTrades)
    const units = [...Map.groupBy(rows, (r) => r.corpCode ?? '')].toReversed()
    const option: ChartOption = {
      grid: { left: 8, right: 24, top: 36, bottom: 8, containLabel: true },
      legend: { top: 0, type: 'scroll' },
      tooltip: { trigger: 'axis', axisPointer: { type: 'shadow' } },
      xAxis: { type: 'value', name: '人天' },
      yAxis: { type: 'category', data: units.map(([, list]) => list[0]?.corpName ?? ''), axisLabel: { width: 120, overflow: 'truncate' } },
      series: [
        ...main.map(([code, { name }]) => ({
          type: 'bar',
          stack: 'all',
          barMaxWidth: 18,
          name,
          data: units.map(([, list]) => list.find((r) => r.workType === code)?.personDays ?? 0),
        })),
        ...(order.length > mostTrades
          ? [
              {
                type: 'bar',
                stack: 'all',
                barMaxWidth: 18,
                name: '其他工种',
                data: units.map(([, list]) =>
                  list.filter((r) => !main.some(([code]) => code === r.workType)).reduce((n, r) => n + r.personDays, 0),
                ),
              },
            ]
          : []),
      ],
    }
    return {
      option,
      names: units.map(([code, list]) => ({ code, name: list[0]?.corpName ?? code })),
      trades: main.map(([code, { name }]) => ({ code, name })),
    }
  }, [rows])
  return (
    <Card title="工种构成" remark="出勤人天；点色块看人" className="wide">
      {error ? (
        <ErrorPanel error={error} retry={refetch} />
      ) : !data ? (
        <div className="zg-bone att-wait" />
      ) : rows.length === 0 ? (
        <Empty small text="这段时间没有数据" />
      ) : (
        <Chart
          height={Math.max(200, 40 + names.length * 30)}
          label="各单位出勤人天按工种"
          option={option}
          onClick={({ seriesName, dataIndex }) => {
            const unit = names[dataIndex]
            const trade = trades.find((t) => t.name === seriesName)
            if (unit && trade) onTrade(unit.code, unit.name, trade.code, trade.name)
          }}
        />
      )}
    </Card>
  )
}

function Ranking({
  period,
  onUnit,
}: {
  period: Period
  onUnit: (code: string, name: string, state: Behind['state'], words: string) => void
}) {
  const go = useGo()
  const { projectCode, startDate, endDate, workRole, before } = period
  const list = useListPage(unitRankList, {
    scope: useMemo(() => ({ projectCode, startDate, endDate, workRole }), [projectCode, startDate, endDate, workRole]),
    inUrl: false,
  })
  const past = useCall(corpStats.rank, { query: { projectCode, ...before, workRole, size: most } }, { quiet: true, keepPrevious: true })
  const rateBefore = new Map((past.data?.list ?? []).map((u) => [u.code, u.rate]))
  return (
    <Card title="排名" remark={`与 ${before.startDate} 至 ${before.endDate} 相比；工人与管理人员请分开看`} flush className="wide att-rank">
      <DataTable
        list={list}
        rowKey="code"
        unit="家"
        name="attendance-unit-rank"
        exportTitle="单位考勤统计"
        emptyHint="这段时间没有单位在场"
        columns={[
          { key: 'rank', width: 56, align: 'right', locked: true, value: (r) => r.rank },
          {
            key: 'name',
            width: 220,
            locked: true,
            value: (r) => (
              <button type="button" className="zg-bare zg-link" onClick={() => go('/companySystem/info/basic', { corpCode: r.code })}>
                {r.name}
              </button>
            ),
          },
          { key: 'inPlace', width: 64, align: 'right', value: (r) => thousands(r.inPlace) },
          { key: 'workers', width: 64, align: 'right', value: (r) => thousands(r.workers) },
          { key: 'managers', width: 76, align: 'right', value: (r) => thousands(r.managers) },
          { key: 'rate', width: 84, align: 'right', value: (r) => (r.rate === null ? '--' : r.rate.toFixed(2)) },
          {
            key: 'change',
            width: 84,
            align: 'right',
            value: (r) => {
              const { text, tone } = changeWords(r.rate, rateBefore.get(r.code))
              return <span className={tone ? `att-change-${tone}` : 'zg-2'}>{text}</span>
            },
          },
          { key: 'days', width: 84, align: 'right', value: (r) => thousands(r.days) },
          { key: 'hours', width: 84, align: 'right', value: (r) => thousands(r.hours.toFixed(1)) },
          { key: 'hoursADay', width: 92, align: 'right', value: (r) => r.hoursADay?.toFixed(1) },
          {
            key: 'overlong',
            width: 84,
            align: 'right',
            value: (r) => <Count n={r.overlong} onClick={() => onUnit(r.code, r.name ?? '', 'overlong', '单日超过 11 小时')} />,
          },
          { key: 'correctedPercent', width: 92, align: 'right', value: (r) => r.correctedPercent?.toFixed(1) },
          { key: 'latePercent', width: 92, align: 'right', value: (r) => r.latePercent?.toFixed(1) },
        ]}
        actions={(r) => [
          { label: '缺勤', onClick: () => onUnit(r.code, r.name ?? '', 'absent', '缺勤') },
          { label: '补录', onClick: () => onUnit(r.code, r.name ?? '', 'corrected', '含补录的出勤') },
          { label: '月表', onClick: () => go('/attendance', { unit: r.code, month: endDate.slice(0, 7) }) },
        ]}
      />
    </Card>
  )
}

/** A figure that leads to its people; nothing leads nowhere. */
export function Count({ n, onClick }: { n: number; onClick: () => void }) {
  return n === 0 ? (
    <span className="zg-2">0</span>
  ) : (
    <button type="button" className="zg-bare zg-link" onClick={onClick}>
      {thousands(n)}
    </button>
  )
}
