import { type PitSurvey, pitSurveyList, surveyStates } from '@zhugong/contract/monitoring/pit/pit-surveys'
import { useEffect } from 'react'
import { DataTable } from '#kit/data-table.tsx'
import { Tag } from '#kit/feedback.tsx'
import { time } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import type { ColumnOf } from '#kit/table-columns.tsx'

const tones = { waiting: 'warning', done: 'fine', failed: 'danger' } as const
const lookAgainMs = 2_000
const short = (at: number) => time(at).slice(5, 16)

/** Imports of surveys with author, time and result. */
export function SurveyLog({ projectCode, own }: { projectCode: string; own: readonly string[] }) {
  const list = useListPage(pitSurveyList, {
    scope: { projectCode },
    own,
    defaultSort: '-createTime',
  })
  const isWaiting = list.rows.some((one) => one.state === 'waiting')
  const { refresh } = list
  useEffect(() => {
    if (!isWaiting) return
    const timer = setInterval(refresh, lookAgainMs)
    return () => clearInterval(timer)
  }, [isWaiting, refresh])
  const columns: ColumnOf<typeof pitSurveyList>[] = [
    { key: 'createTime', width: 152, locked: true, sort: true, filter: 'date-range', value: (r) => time(r.createTime) },
    ...(projectCode === '*' ? [{ key: 'projectName' as const, width: 176, value: (r: PitSurvey) => r.projectName }] : []),
    { key: 'fileName', width: 200, value: (r) => r.fileName },
    { key: 'state', width: 84, value: (r) => <Tag tone={tones[r.state]}>{surveyStates[r.state]}</Tag> },
    {
      key: 'period',
      width: 208,
      value: (r) => (r.firstTime === r.lastTime ? short(r.firstTime) : `${short(r.firstTime)} 至 ${short(r.lastTime)}`),
    },
    { key: 'points', width: 72, align: 'right', value: (r) => r.points },
    { key: 'readings', width: 72, align: 'right', value: (r) => r.readings },
    { key: 'jumps', width: 72, align: 'right', value: (r) => (r.jumps > 0 ? <span className="tone-warning">{r.jumps}</span> : 0) },
    { key: 'doubled', width: 72, align: 'right', weak: true, value: (r) => r.doubled },
    { key: 'createBy', width: 100, filter: 'text', value: (r) => r.createBy },
    { key: 'message', width: 200, weak: true, value: (r) => r.message || null },
  ]
  return <DataTable list={list} columns={columns} unit="次" emptyHint="点“导入人工监测”把一次测量的工作簿交进来，记录出现在这里" />
}
