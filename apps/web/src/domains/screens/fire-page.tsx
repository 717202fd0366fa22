import { type FireDashboard, fireDashboard } from '@zhugong/contract/fire/dashboard'
import { nearDays } from '@zhugong/contract/fire/deadline'
import { canvas } from '@zhugong/contract/screens/catalogue'
import { type ReactNode, useEffect, useMemo } from 'react'
import { useCall } from '#kit/call.ts'
import { age, day, timeOfDay, weekday } from '#kit/format.ts'
import { useNow } from '#kit/live.ts'
import { useGo, usePage, usePageQuery } from '#kit/page.tsx'
import { FireMap, toneOfDays } from './fire-map.tsx'
import { toggleFull } from './full-screen.ts'
import { Bar, Panel, Rolling, type Tone } from './panel.tsx'
import { useFit } from './use-fit.ts'
import { place } from './wall-place.ts'
import './wall.css'
import './fire.css'

const everyMs = 60_000
const list = '/fireProtection/assessment'
const detail = '/fireProtection/assessmentDetail'
/** Below so many cases a rate is shown as a count. */
const leastForRate = 5

/** What waits, what is late, and what goes wrong most? For the wall and for the morning. */
export default function FirePage() {
  const page = usePage()
  const query = usePageQuery()
  const go = useGo()
  const month = query.get('month') ?? undefined
  const { data, error, dataUpdatedAt } = useCall(
    fireDashboard,
    { query: { projectCode: '*', month } },
    { quiet: true, keepPrevious: true, everyMs, group: '*' },
  )
  const now = useNow()
  const [ref, fit] = useFit()
  const feed = useMemo(
    () => ({ data, at: dataUpdatedAt || undefined, error: error ? error.message : undefined }),
    [data, dataUpdatedAt, error],
  )
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !document.fullscreenElement) go('/main')
      if (event.key.toLowerCase() === 'f') void toggleFull()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [go])
  const scaled = {
    transform: `translate(${(fit.width - canvas.width * fit.scale) / 2}px, ${(fit.height - canvas.height * fit.scale) / 2}px) scale(${fit.scale})`,
  }
  return (
    <div className="wall-page">
      <div ref={ref} className="wall wall-desk">
        <div className="wall-canvas" style={scaled}>
          <Title
            now={now}
            month={data?.month ?? month ?? day(now).slice(0, 7)}
            last={day(now).slice(0, 7)}
            onMonth={(next) => go(page.path, { month: next }, { replace: true })}
            onLeave={() => go('/main')}
          />
          <div className="wall-grid">
            <Cell x={0} y={0} w={8} h={1}>
              <Panel title="关键数字" bare feeds={[feed]} everyMs={everyMs}>
                {data && <Strip data={data} />}
              </Panel>
            </Cell>
            <Cell x={0} y={1} w={2} h={2}>
              <Panel title="办理进度" feeds={[feed]} everyMs={everyMs}>
                {data && <Pipeline data={data} />}
              </Panel>
            </Cell>
            <Cell x={0} y={3} w={2} h={1}>
              <Panel title="业务类型" feeds={[feed]} everyMs={everyMs}>
                {data && <Bars rows={data.kinds} path={(code) => `${list}?kind=${code}`} />}
              </Panel>
            </Cell>
            <Cell x={0} y={4} w={2} h={2}>
              <Panel title="区县" remark="全部 / 在办" feeds={[feed]} everyMs={everyMs} empty={data?.districts.length === 0 && '没有申请'}>
                {data && (
                  <Bars rows={data.districts} note={(one) => `${one.count} / ${one.open}`} path={(code) => `${list}?areaCode=${code}`} />
                )}
              </Panel>
            </Cell>
            <Cell x={2} y={1} w={4} h={3}>
              <FireMap feed={feed} everyMs={everyMs} spots={data?.spots ?? []} />
            </Cell>
            <Cell x={2} y={4} w={4} h={2}>
              <Panel
                title="办理时限"
                remark="剩余工作日"
                feeds={[feed]}
                everyMs={everyMs}
                empty={data?.deadlines.length === 0 && '没有在办的申请'}
              >
                {data && <Deadlines rows={data.deadlines} />}
              </Panel>
            </Cell>
            <Cell x={6} y={1} w={2} h={2}>
              <Panel
                title="高频不合格要点"
                remark={data && `A ${data.levels.A}　B ${data.levels.B}　C ${data.levels.C}`}
                feeds={[feed]}
                everyMs={everyMs}
                empty={data?.failures.length === 0 && '本月没有不符合项'}
              >
                {data && <Failures rows={data.failures} />}
              </Panel>
            </Cell>
            <Cell x={6} y={3} w={2} h={2}>
              <Panel
                title="评定人员"
                remark={data && `复评率 ${rateWords(data.rechecked)}`}
                feeds={[feed]}
                everyMs={everyMs}
                empty={data?.load.length === 0 && '本周没有评定任务'}
              >
                {data && <Load rows={data.load} />}
              </Panel>
            </Cell>
            <Cell x={6} y={5} w={2} h={1}>
              <Panel title="今日现场" feeds={[feed]} everyMs={everyMs} empty={data?.teams.length === 0 && '现在没有评定组在现场'}>
                {data && <Teams rows={data.teams} now={now} />}
              </Panel>
            </Cell>
          </div>
        </div>
      </div>
    </div>
  )
}

const Cell = ({ children, ...cells }: { x: number; y: number; w: number; h: number; children: ReactNode }) => (
  <div className="wall-cell" style={place(cells)}>
    {children}
  </div>
)
const open = (path: string) => void window.open(path, '_blank', 'noopener')

/** `75.0%`, and below five cases `3/4`. */
const rateWords = ({ passed, all }: { passed: number; all: number }): string =>
  all === 0 ? '--' : all < leastForRate ? `${passed}/${all}` : `${((passed / all) * 100).toFixed(1)}%`

interface TitleProps {
  now: number
  month: string
  /** The current month. */
  last: string
  onMonth: (month: string) => void
  onLeave: () => void
}
function Title({ now, month, last, onMonth, onLeave }: TitleProps) {
  const turn = (by: number) => {
    const at = new Date(`${month}-01T00:00:00Z`)
    at.setUTCMonth(at.getUTCMonth() + by)
    onMonth(at.toISOString().slice(0, 7))
  }
  return (
    <header className="wall-title">
      <svg className="wall-title-line" viewBox="0 0 1920 80" aria-hidden="true">
        <path d="M0 62H560L590 78H1330L1360 62H1920" />
        <path className="wall-title-bright" d="M760 78H1160" />
      </svg>
      <div className="wall-title-left">
        <time>{timeOfDay(now)}</time>
        <span>
          {day(now)} {weekday(now)}
        </span>
      </div>
      <h1>消防验收现场评定</h1>
      <div className="wall-title-right">
        <button type="button" aria-label="上一月" onClick={() => turn(-1)}>
          ‹
        </button>
        <span>{month}</span>
        <button type="button" aria-label="下一月" disabled={month >= last} onClick={() => month < last && turn(1)}>
          ›
        </button>
        <button type="button" onClick={() => void toggleFull()}>
          全屏
        </button>
        <button type="button" onClick={onLeave}>
          退出
        </button>
      </div>
    </header>
  )
}

function Strip({ data }: { data: FireDashboard }) {
  const from = `${data.month}-01`
  const end = new Date(`${from}T00:00:00Z`)
  end.setUTCMonth(end.getUTCMonth() + 1, 0)
  const span = `${from},${end.toISOString().slice(0, 10)}`
  const figures: { label: string; value: string; note: string; edge?: Tone; path: string }[] = [
    { label: '待受理', value: String(data.waiting), note: '件', edge: data.waiting > 0 ? 'warning' : 'accent', path: `${list}?state=1` },
    { label: '评定中', value: String(data.running), note: '件', path: `${list}?state=4` },
    {
      label: '本月办结',
      value: String(data.done),
      note: `备案未抽中 ${data.notDrawn} 件另计`,
      path: `${list}?state=6,7&finishDate=${span}`,
    },
    {
      label: '一次合格率',
      value: rateWords(data.first),
      note: `首次签发 ${data.first.all} 件`,
      edge: 'fine',
      path: `${list}?firstTime=${span}`,
    },
    {
      label: '临近时限',
      value: String(data.near),
      note: `≤ ${nearDays} 个工作日`,
      edge: data.near > 0 ? 'warning' : 'accent',
      path: `${list}?deadline=near`,
    },
    { label: '超期', value: String(data.late), note: '件', edge: data.late > 0 ? 'alarm' : 'accent', path: `${list}?deadline=late` },
  ]
  return (
    <div className="wall-kpis">
      {figures.map((one) => (
        <button key={one.label} type="button" className={`wall-kpi wall-edge-${one.edge ?? 'accent'}`} onClick={() => open(one.path)}>
          <span>{one.label}</span>
          <b>{one.value}</b>
          <em>{one.note}</em>
        </button>
      ))}
    </div>
  )
}

interface BarRow {
  code: string
  name: string
  count: number
}
function Bars<R extends BarRow>({ rows, path, note }: { rows: readonly R[]; path: (code: string) => string; note?: (row: R) => string }) {
  const most = Math.max(1, ...rows.map((one) => one.count))
  return (
    <div className={rows.length <= 4 ? 'wall-rows wall-few' : 'wall-rows'}>
      {rows.map((one) => (
        <button key={one.code} type="button" className="wall-row fire-bar-row" onClick={() => open(path(one.code))}>
          <span>{one.name}</span>
          <Bar share={(one.count / most) * 100} />
          <b>{note ? note(one) : one.count}</b>
        </button>
      ))}
    </div>
  )
}

/** 已受理 → 评定中 → 结论; what ended by its papers stands apart. */
const pipeline = ['1', '3', '4', '5', '6', '7', '2', '8', '9']
function Pipeline({ data }: { data: FireDashboard }) {
  const rows = pipeline.flatMap((code) => data.states.filter((one) => one.code === code))
  return <Bars rows={rows} path={(code) => `${list}?state=${code}`} />
}

function Deadlines({ rows }: { rows: FireDashboard['deadlines'] }) {
  return (
    <Rolling rows={rows.length} fits={8}>
      {rows.map((one) => (
        <button key={one.id} type="button" className="wall-row fire-due-row" onClick={() => open(`${detail}?id=${one.id}`)}>
          <span>{one.projectName}</span>
          <time>{one.dueDate}</time>
          <b className={`wall-${one.paused ? 'muted' : toneOfDays(one.daysLeft)}`}>
            {one.paused ? '补正停计' : one.daysLeft < 0 ? `超期 ${-one.daysLeft}` : `剩 ${one.daysLeft}`}
          </b>
        </button>
      ))}
    </Rolling>
  )
}

const levelInk: Readonly<Record<string, Tone>> = { A: 'alarm', B: 'warning', C: 'accent' }
function Failures({ rows }: { rows: FireDashboard['failures'] }) {
  const most = Math.max(1, ...rows.map((one) => one.count))
  return (
    <div className="wall-rows">
      {rows.map((one) => (
        <div key={`${one.itemCode}${one.level}`} className="wall-row fire-fail-row">
          <i className={`wall-${levelInk[one.level] ?? 'plain'}`}>{one.level}</i>
          <span>
            {one.itemCode} {one.name}
          </span>
          <Bar share={(one.count / most) * 100} tone={levelInk[one.level] ?? 'accent'} />
          <b>{one.count}</b>
        </div>
      ))}
    </div>
  )
}

function Load({ rows }: { rows: FireDashboard['load'] }) {
  const most = Math.max(1, ...rows.map((one) => one.cases))
  return (
    <div className="wall-rows">
      {rows.map((one) => (
        <button
          key={one.name}
          type="button"
          className="wall-row fire-bar-row"
          onClick={() => open(`${list}?tab=running&assessor=${encodeURIComponent(one.name)}`)}
        >
          <span>{`${one.name.slice(0, 1)}${'*'.repeat(Math.max(1, one.name.length - 1))}`}</span>
          <Bar share={(one.cases / most) * 100} />
          <b>{one.cases} 件</b>
        </button>
      ))}
    </div>
  )
}

function Teams({ rows, now }: { rows: FireDashboard['teams']; now: number }) {
  return (
    <Rolling rows={rows.length} fits={3}>
      {rows.map((one) => (
        <button key={one.id} type="button" className="wall-row fire-team-row" onClick={() => open(`${detail}?id=${one.id}`)}>
          <span>{one.projectName}</span>
          <b>
            {one.subsDone}/{one.subsTotal} 子项
          </b>
          <em>{one.lastAt ? age(Date.parse(`${one.lastAt.replace(' ', 'T')}+08:00`), now) : '未记录'}</em>
        </button>
      ))}
    </Rolling>
  )
}
