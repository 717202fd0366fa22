import { LeftOutlined, PrinterOutlined, RightOutlined } from '@ant-design/icons'
import { type DailyRow, listDaily, personalDays, personalList } from '@zhugong/contract/attendance/days'
import type { DayResult } from '@zhugong/contract/attendance/facts'
import { shanghaiOffsetMs } from '@zhugong/contract/kit/time'
import { Button, Input } from 'antd'
import { useMemo, useState } from 'react'
import { Face } from '#domains/personnel/public.tsx'
import { useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { Card, Empty, ErrorPanel, FigureStrip, Notice, TableSkeleton } from '#kit/feedback.tsx'
import { day as dayText, minuteOfDay, month as monthText, thousands } from '#kit/format.ts'
import { MonthInput } from '#kit/inputs.tsx'
import { useListPage } from '#kit/list.ts'
import { PageShell } from '#kit/list-shell.tsx'
import { useProjectScope } from '#kit/me.ts'
import { PageDrawer, PageModal } from '#kit/overlay.tsx'
import { usePageTitle } from '#kit/page.tsx'
import { usePrint } from '#kit/use-print.ts'
import { DayAccount } from './day-account.tsx'
import { usePageParams } from './page-params.ts'
import { dayWords, markOf, shiftDate, weekdayOf } from './sheet-mark.ts'
import { DayWords } from './words.tsx'
import './attendance.css'

/** Attendance of one person. Contains nobody else's name, so that it can be shown to that person. */
export default function PersonPage() {
  const [params, setParams] = usePageParams()
  const workerId = params.get('workerId') ?? ''
  return workerId ? (
    <PersonMonth workerId={workerId} month={params.get('month') ?? monthText(Date.now())} setParams={setParams} />
  ) : (
    <PersonChoice onChoose={(id) => setParams({ workerId: id })} />
  )
}

function PersonChoice({ onChoose }: { onChoose: (workerId: string) => void }) {
  const scope = useProjectScope()
  const [name, setName] = useState('')
  const { data, isFetching } = useCall(listDaily, { query: { ...scope, name: name || undefined, size: 48 } }, { quiet: true })
  return (
    <PageShell>
      <Card title="查找人员" remark="按姓名查今日在场人员，或直接点选">
        <Input.Search
          className="zg-w-280"
          placeholder="输入姓名"
          aria-label="姓名"
          maxLength={50}
          loading={isFetching}
          onSearch={(text) => setName(text.trim())}
          autoFocus
        />
        {data && data.list.length === 0 && <Empty small text="没有找到" hint="只查今日在场的人员；已退场的请从花名册进入" />}
        {data && data.list.length > 0 && (
          <ul className="att-people">
            {data.list.map((r) => (
              <li key={r.id}>
                <button type="button" className="zg-bare" onClick={() => onChoose(r.workerId)}>
                  <Face src={r.photo} size={40} />
                  <span>
                    <b>{r.name}</b>
                    <span className="zg-2">{[r.workTypeName, r.teamName ?? r.corpName].filter(Boolean).join(' · ')}</span>
                    {scope.projectCode === '*' && <span className="zg-2">{r.projectName}</span>}
                  </span>
                </button>
              </li>
            ))}
          </ul>
        )}
        {data && data.total > data.list.length && (
          <p className="zg-2">
            共 {thousands(data.total)} 人，列出前 {data.list.length} 人，其余请输入姓名
          </p>
        )}
      </Card>
    </PageShell>
  )
}

function PersonMonth({
  workerId,
  month,
  setParams,
}: {
  workerId: string
  month: string
  setParams: (change: Readonly<Record<string, string | undefined>>) => void
}) {
  const scope = useProjectScope()
  const query = { ...scope, workerId, month, size: 100, sort: 'date' as const }
  const { data, error, refetch } = useCall(personalDays, { query }, { keepPrevious: true, quiet: true })
  const list = useListPage(personalList, {
    scope: useMemo(() => ({ ...scope, workerId, month }), [scope, workerId, month]),
    inUrl: false,
  })
  const [shown, setShown] = useState<DailyRow>()
  const [choosing, setChoosing] = useState(false)
  const proof = usePrint('attendanceProof')
  usePageTitle(data?.worker?.name)
  if (error) return <ErrorPanel error={error} retry={refetch} />
  if (!data) {
    return (
      <PageShell>
        <TableSkeleton />
      </PageShell>
    )
  }
  if (!data.worker) {
    return (
      <PageShell>
        <Empty text="没有此人的考勤" hint="人员不存在，或不在您的管辖范围内">
          <Button onClick={() => setParams({ workerId: undefined })}>另找一人</Button>
        </Empty>
      </PageShell>
    )
  }
  const { worker, totals, keyPost } = data
  const stay = worker.stays[0]
  return (
    <PageShell
      title={worker.name}
      remark={
        <span className="per-face-name">
          <Face src={worker.photo} />
          {[stay?.workTypeName, stay?.teamName, stay?.corpName, stay?.projectName].filter(Boolean).join(' · ')}
        </span>
      }
      actions={
        <>
          <Button icon={<LeftOutlined />} aria-label="上个月" onClick={() => setParams({ month: nextMonth(month, -1) })} />
          <div className="zg-w-112">
            <MonthInput value={month} onChange={(next) => next && setParams({ month: next })} />
          </div>
          <Button
            icon={<RightOutlined />}
            aria-label="下个月"
            disabled={month >= monthText(Date.now())}
            onClick={() => setParams({ month: nextMonth(month, 1) })}
          />
          <Button onClick={() => setChoosing(true)}>换一人</Button>
          <Can code="attendance.verify">
            <Button
              icon={<PrinterOutlined />}
              loading={proof.running}
              onClick={() =>
                void proof.run({
                  body: {
                    feature: 'attendanceProof',
                    exportType: 'pdf',
                    query: { projectCode: stay?.projectCode, workerId, ...daysOf(month) },
                  },
                })
              }
            >
              出具考勤证明
            </Button>
          </Can>
        </>
      }
    >
      <FigureStrip
        items={[
          { label: '本月出勤', value: thousands(totals.attendDays), unit: '天', remark: `在场 ${data.total} 天` },
          {
            label: '本月工时',
            value: thousands((totals.workHours ?? 0).toFixed(1)),
            unit: '小时',
            remark: averageOf(totals.workHours, totals.attendDays),
          },
          {
            label: '迟到 / 早退 / 缺卡 / 缺勤',
            value: `${totals.late ?? 0} / ${totals.early ?? 0} / ${totals.missing ?? 0} / ${totals.absent ?? 0}`,
            unit: '次',
            tone: (totals.absent ?? 0) > 0 ? 'danger' : undefined,
            remark: `补传 ${totals.lateData ?? 0} 天，更正 ${totals.corrected ?? 0} 天`,
          },
          keyPost
            ? {
                label: `${keyPost.postName}到岗率`,
                value: keyPost.rate === null ? '--' : keyPost.rate.toFixed(1),
                unit: '%',
                tone: keyPost.below ? 'danger' : undefined,
                remark: `应到 ${keyPost.required} 天，实到 ${keyPost.present} 天，须 ${keyPost.needed} 天`,
              }
            : { label: '累计出勤', value: thousands(data.everDays), unit: '天', remark: `共 ${worker.stays.length} 段在场` },
        ]}
      />
      {keyPost?.below && <Notice tone="warning">本月到岗率低于要求，应到日满后将形成预警。</Notice>}
      <div className="att-person">
        <Card title={`${Number(month.slice(5))} 月日历`} remark="点日期看当日每一次通行">
          <Calendar month={month} rows={data.list} restDates={data.restDates} onOpen={setShown} chosen={shown?.id} />
          <h3 className="att-months-head">近 12 个月出勤天数</h3>
          <MonthStrip months={data.months} current={month} onChoose={(next) => setParams({ month: next })} />
        </Card>
        <Card flush title="逐日明细" className="zg-table-box zg-table-box-high">
          <DataTable
            list={list}
            unit="天"
            exportTitle="个人考勤"
            onRow={setShown}
            columns={[
              { key: 'date', sort: true, width: 96, value: (r) => `${r.date.slice(5)} ${weekdayOf(r.date)}` },
              { key: 'firstIn', width: 80, value: (r) => minuteOfDay(r.firstIn) },
              {
                key: 'lastOut',
                width: 88,
                value: (r) => (r.lastOut ? `${r.lastOut.slice(0, 10) > r.date ? '次日 ' : ''}${minuteOfDay(r.lastOut)}` : '--'),
              },
              {
                key: 'workHours',
                sort: true,
                align: 'right',
                width: 64,
                value: (r) => (r.recordCount ? r.workHours.toFixed(1) : '--'),
              },
              {
                key: 'results',
                width: 110,
                value: (r) => <DayWords row={r} />,
              },
              { key: 'projectName', width: 120, hidden: worker.stays.length < 2, value: (r) => r.projectName },
            ]}
          />
        </Card>
      </div>
      <PageDrawer
        open={shown !== undefined}
        title={shown ? `${worker.name} ${dayWords(shown.date)}` : ''}
        onClose={() => setShown(undefined)}
      >
        {shown && <DayAccount day={{ projectCode: shown.projectCode, workerId, date: shown.date }} name={worker.name} />}
      </PageDrawer>
      <PageModal open={choosing} title="换一人" footer={null} onCancel={() => setChoosing(false)}>
        <PersonChoice
          onChoose={(id) => {
            setChoosing(false)
            setParams({ workerId: id })
          }}
        />
      </PageModal>
    </PageShell>
  )
}

const averageOf = (hours: number | undefined, days: number | undefined) =>
  days ? `平均每日 ${((hours ?? 0) / days).toFixed(1)} 小时` : undefined
/** First and last day of a month; the current month ends today. */
function daysOf(month: string): { from: string; to: string } {
  const last = shiftDate(`${nextMonth(month, 1)}-01`, -1)
  const today = dayText(Date.now())
  return { from: `${month}-01`, to: last < today ? last : today }
}

const nextMonth = (month: string, by: number) => shiftDate(`${month}-15`, by * 30).slice(0, 7)

/** Calendar, weeks from Monday; a day on two projects shows both. */
function Calendar({
  month,
  rows,
  restDates,
  onOpen,
  chosen,
}: {
  month: string
  restDates: readonly string[]
  rows: readonly DailyRow[]
  onOpen: (row: DailyRow) => void
  chosen: string | undefined
}) {
  const byDate = useMemo(() => Map.groupBy(rows, (r) => r.date), [rows])
  const first = `${month}-01`
  const lead = (new Date(`${first}T00:00:00Z`).getUTCDay() + 6) % 7
  const dates: string[] = []
  for (let date = first; date.startsWith(month); date = shiftDate(date, 1)) dates.push(date)
  const today = new Date(Date.now() + shanghaiOffsetMs).toISOString().slice(0, 10)
  return (
    <div className="att-calendar">
      {['一', '二', '三', '四', '五', '六', '日'].map((d) => (
        <span key={d} className="head">
          {d}
        </span>
      ))}
      {Array.from({ length: lead }, (_, i) => (
        <span key={`lead${i}`} />
      ))}
      {dates.map((date) => {
        const days = byDate.get(date) ?? []
        const main = days.find((d) => d.recordCount > 0) ?? days[0]
        const cell = main && {
          results: main.results as DayResult[],
          workHours: main.workHours,
          firstIn: '',
          lastOut: '',
          attended: main.attendDay === 1,
          open: !main.settled,
          expected: main.expected,
        }
        const mark = markOf(cell, date > today)
        return (
          <button
            type="button"
            key={date}
            disabled={!main}
            className={`${restDates.includes(date) ? 'rest' : ''} ${date === today ? 'today' : ''} ${main && main.id === chosen ? 'chosen' : ''}`}
            aria-label={`${dayWords(date)} ${mark.words}`}
            onClick={() => main && onOpen(main)}
          >
            <span>{Number(date.slice(8))}</span>
            {mark.text && (
              <span className={`att-mark att-mark-${mark.look} ${main?.results.includes(11) ? 'att-mark-corrected' : ''}`}>
                {mark.text}
              </span>
            )}
            <span className="hours">
              {main?.recordCount ? `${main.workHours.toFixed(1)} 小时` : ''}
              {days.length > 1 ? ` 等 ${days.length} 个项目` : ''}
              {main?.results.includes(10) ? ' 补' : ''}
            </span>
          </button>
        )
      })}
    </div>
  )
}

function MonthStrip({
  months,
  current,
  onChoose,
}: {
  months: readonly { month: string; attendDays: number; workHours: number }[]
  current: string
  onChoose: (month: string) => void
}) {
  return (
    <div className="att-months">
      {months.map((m) => (
        <button
          type="button"
          className={`zg-bare ${m.month === current ? 'now' : ''}`}
          key={m.month}
          title={`${m.month}：${m.attendDays} 天，${m.workHours.toFixed(1)} 小时`}
          onClick={() => onChoose(m.month)}
          style={{ '--much': `${Math.round((0.06 + Math.min(1, m.attendDays / 26) * 0.22) * 100)}%` } as React.CSSProperties}
        >
          {Number(m.month.slice(5))} 月<br />
          {m.attendDays} 天
        </button>
      ))}
    </div>
  )
}
