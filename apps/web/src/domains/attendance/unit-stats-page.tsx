import { PrinterOutlined } from '@ant-design/icons'
import { corpStats, inPlaceStats } from '@zhugong/contract/attendance/stats'
import { Button, Select } from 'antd'
import { useMemo, useState } from 'react'
import { useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { ErrorPanel, FigureStrip } from '#kit/feedback.tsx'
import { thousands } from '#kit/format.ts'
import { PageShell } from '#kit/list-shell.tsx'
import { usePrint } from '#kit/use-print.ts'
import { HoursBoard } from './hours-board.tsx'
import { type Behind, PeopleDrawer } from './people-drawer.tsx'
import { PeriodBar, usePeriod } from './stats-period.tsx'
import { percent } from './stats-words.ts'
import './attendance.css'
import { most, ofUnit, queryOf, type Unit } from './stats-query.ts'
import { DailyLines } from './unit-lines.tsx'
import { Ranking } from './unit-rank.tsx'
import { Trades } from './unit-trades.tsx'

/** Maximum number of lines that stay distinguishable. */
const mostLines = 6

/** Presence of workers and managers by company. */
export default function UnitStatsPage() {
  const [period, setParams, params] = usePeriod()
  const [behind, setBehind] = useState<Behind>()
  const print = usePrint('attendanceUnit')
  const query = queryOf(period)
  const ranks = useCall(corpStats.rank, { query: { ...query, size: most } }, { quiet: true, keepPrevious: true })
  // Totals of the site for the same days as the rows; managers are counted apart.
  const whole = useCall(inPlaceStats.byDay, { query: { ...query, size: most } }, { quiet: true, keepPrevious: true })
  const managers = useCall(inPlaceStats.byDay, { query: { ...query, workRole: '10', size: most } }, { quiet: true, keepPrevious: true })
  const units = useMemo(() => ranks.data?.list ?? [], [ranks.data])
  const named = params.get('units')
  const requested = useMemo(() => named?.split(',') ?? [], [named])
  const compared = useMemo(
    () => units.filter((u) => requested.length === 0 || requested.includes(u.code)).slice(0, mostLines),
    [units, requested],
  )
  const inPlace = units.reduce((n, u) => n + u.inPlace, 0)
  const all = sumOfDays(whole.data?.list)
  const lowest = units.filter((u) => u.rate !== null && u.inPlace >= 5).toSorted((a, b) => (a.rate ?? 0) - (b.rate ?? 0))[0]
  const bosses = sumOfDays(managers.data?.list)
  const open = (more: Partial<Behind> & Pick<Behind, 'title' | 'state'>) => setBehind({ scope: 'corp', ...query, ...more })
  const openHour = (unit: Unit, hour: string) => {
    const date = period.endDate
    open({ title: `${unit.name} ${date} ${hour} 时末在场`, state: 'inPlace', ...ofUnit(unit), date, hour, startDate: date, endDate: date })
  }
  if (ranks.error) return <ErrorPanel error={ranks.error} retry={ranks.refetch} />
  return (
    <PageShell
      remark="出勤率 = 实到人天 / 应到人天，均按当日名册；停工、休息、请假、暂停作业、未转正式的人员不计应到"
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
        loading={!ranks.data}
        items={[
          { label: '有人在册的单位', value: units.length, unit: '家', remark: `在册 ${thousands(inPlace)} 人` },
          {
            label: '出勤率',
            value: percent(all.arrived, all.expected)?.toFixed(1) ?? '--',
            unit: '%',
            remark: `${thousands(all.arrived)} / ${thousands(all.expected)} 人天`,
          },
          {
            label: '管理人员到岗率',
            value: percent(bosses.arrived, bosses.expected)?.toFixed(1) ?? '--',
            unit: '%',
            remark: `${thousands(bosses.arrived)} / ${thousands(bosses.expected)} 人天`,
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
              className="att-compared"
              maxCount={mostLines}
              maxTagCount={1}
              value={requested}
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
        <HoursBoard
          call={corpStats.byHour}
          query={{ projectCode: period.projectCode, workRole: period.workRole, date: period.endDate }}
          counts="onDuty"
          title="进出时段"
          remark="每小时末在场人数；点格看人"
          label="各单位每小时末在场人数"
          onHour={openHour}
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

const sumOfDays = (days: readonly { arrived: number; expected: number }[] = []) => ({
  arrived: days.reduce((n, d) => n + d.arrived, 0),
  expected: days.reduce((n, d) => n + d.expected, 0),
})
