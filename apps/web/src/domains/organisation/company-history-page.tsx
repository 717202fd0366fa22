import { companyHistory, type Happening, type HistoryKind, historyKinds } from '@zhugong/contract/organisation/company-history'
import { Button } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { Chart } from '#kit/chart.tsx'
import { Card, DetailSkeleton, Empty, ErrorPanel, Tag, type Tone } from '#kit/feedback.tsx'
import { DayInput } from '#kit/inputs.tsx'
import { useCompanyCode } from '#kit/own-company.ts'
import { Pager } from '#kit/pager.tsx'
import './organisation.css'

const tones: Readonly<Record<HistoryKind, Tone>> = {
  change: 'running',
  project: 'neutral',
  aptitude: 'fine',
  score: 'warning',
  good: 'fine',
  penalty: 'danger',
  black: 'danger',
  grant: 'maintenance',
}
const kinds = Object.keys(historyKinds) as HistoryKind[]

/** History of a company. */
export default function CompanyHistoryPage() {
  const corpCode = useCompanyCode()
  const [kind, setKind] = useState<HistoryKind[]>([])
  const [from, setFrom] = useState<string>()
  const [to, setTo] = useState<string>()
  const [page, setPage] = useState(1)
  const [size, setSize] = useState(20)
  const at = from || to ? `${from ?? ''},${to ?? ''}` : undefined
  const read = useCall(
    companyHistory,
    { params: { corpCode }, query: { page, size, kind: kind.join(',') || undefined, at } },
    { quiet: true, staleMs: 0, enabled: corpCode !== '', keepPrevious: true },
  )
  if (read.error) return <ErrorPanel error={read.error} retry={read.refetch} />
  if (!read.data) return <DetailSkeleton />
  const { list, total, counts, scores } = read.data
  const toggle = (one: HistoryKind) => {
    setKind((now) => (now.includes(one) ? now.filter((other) => other !== one) : [...now, one]))
    setPage(1)
  }
  return (
    <>
      <Card title="信用分" remark={`现为 ${scores.at(-1)?.score ?? '--'} 分`}>
        <Chart
          height={140}
          label={`信用分变化：${scores.map((one) => `${one.day} ${one.score}`).join('，')}`}
          option={{
            grid: { left: 40, right: 16, top: 12, bottom: 24 },
            xAxis: { type: 'time' },
            yAxis: { type: 'value', min: (range: { min: number }) => Math.floor(range.min / 10) * 10 - 10, max: 100 },
            series: [{ type: 'line', step: 'end', data: scores.map((one) => [one.day, one.score]) }],
          }}
        />
      </Card>
      <Card
        title="历史"
        remark={`${total} 条，只读，不能删除`}
        actions={
          <>
            <DayInput aria-label="起始日期" value={from} onChange={(day) => setFrom(day ?? undefined)} />
            <DayInput aria-label="截止日期" value={to} onChange={(day) => setTo(day ?? undefined)} />
          </>
        }
        flush
      >
        <div className="org-kinds">
          {kinds
            .filter((one) => counts[one] || kind.includes(one))
            .map((one) => (
              <Button
                key={one}
                size="small"
                type={kind.includes(one) ? 'primary' : 'default'}
                aria-pressed={kind.includes(one)}
                onClick={() => toggle(one)}
              >
                {historyKinds[one]} {counts[one] ?? 0}
              </Button>
            ))}
        </div>
        {list.length === 0 ? <Empty small text="没有这样的记录" /> : <Timeline list={list} />}
        <Pager list={{ page, size, total, setPage, setSize }} />
      </Card>
    </>
  )
}

const Timeline = ({ list }: { list: readonly Happening[] }) => (
  <ol className="org-history">
    {list.map((one) => (
      <li key={one.id}>
        <time dateTime={one.at}>{one.at.slice(0, 10)}</time>
        <Tag tone={tones[one.kind as HistoryKind] ?? 'neutral'} icon={false}>
          {one.kindName}
        </Tag>
        <div>
          {one.overSince ? <s>{one.title}</s> : one.link ? <Link to={one.link}>{one.title}</Link> : one.title}
          {one.overSince && <span className="zg-2">　已于 {one.overSince} 失效</span>}
          {one.changes.map((change) => (
            <div key={change.label} className="zg-2">
              {change.label}：{change.before === null ? '' : <s>{change.before}</s>}{' '}
              {change.before !== null && change.after !== null ? '→ ' : ''}
              {change.after}
            </div>
          ))}
        </div>
        <span className="zg-2">{one.byName}</span>
      </li>
    ))}
  </ol>
)
