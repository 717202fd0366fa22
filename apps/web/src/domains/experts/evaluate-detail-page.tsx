import {
  appealScore,
  correctScore,
  type Evaluation,
  getEvaluation,
  lineNames,
  mostOfLine,
  type Scored,
  scoreLines,
} from '@zhugong/contract/experts/scores'
import { Button } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { askReason } from '#kit/ask.ts'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { Chart } from '#kit/chart.tsx'
import { colors } from '#kit/colors.ts'
import { Card, Empty, Pairs, Tag } from '#kit/feedback.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { PageDrawer } from '#kit/overlay.tsx'
import { hrefOf, useGo, usePage, usePageQuery } from '#kit/page.tsx'
import { ItemText, WorkItem } from '#kit/work-item.tsx'
import { ScoreFields } from './score-fields.tsx'
import './experts.css'

const path = '/person/expert/evaluateDetail'
const anywhere = { projectCode: '*' }

/** How did this score come about? */
export default function EvaluateDetailPage() {
  const query = usePageQuery()
  const go = useGo()
  const id = query.get('id') ?? ''
  const year = query.get('year')
  if (!id)
    return (
      <PageShell>
        <Empty text="未选择专家" hint="从专家评价打开一名专家">
          <Button onClick={() => go('/person/expert/evaluate')}>去专家评价</Button>
        </Empty>
      </PageShell>
    )
  return (
    <div className="zg-page zg-scrolls">
      <Detail key={`${id} ${year ?? ''}`} id={id} year={year ? Number(year) : undefined} />
    </div>
  )
}

function Detail({ id, year }: { id: string; year: number | undefined }) {
  const page = usePage()
  const [copy, setCopy] = useState(false)
  const read = useCall(getEvaluation, { params: { id }, query: { ...anywhere, year } }, { quiet: true, staleMs: 0 })
  const file = read.data
  return (
    <WorkItem
      title={file?.name}
      tags={file && <Tag tone={file.frozen ? 'fine' : 'running'}>{`${file.year} 年${file.frozen ? '已结算' : '未结算'}`}</Tag>}
      facts={
        file
          ? [
              { label: '专业', value: file.specialtyNames.join('、') },
              { label: '单位', value: file.workUnit },
              { label: '聘期止', value: file.validEnd ?? '--' },
              { label: '得分', value: file.score === null ? file.gradeName : `${file.score} ${file.gradeName}` },
            ]
          : []
      }
      actions={
        file && (
          <>
            <Button onClick={() => setCopy(!copy)}>{copy ? '显示组织单位' : '专家本人阅件'}</Button>{' '}
            <Button onClick={() => window.print()}>打印</Button>
          </>
        )
      }
      waiting={!file}
      error={read.error}
      retry={read.refetch}
      onClose={page.close}
      side={
        file && (
          <>
            <Years file={file} />
            {file.own && <Appeals file={file} />}
          </>
        )
      }
    >
      {file && (
        <>
          <Composition file={file} />
          <Lines file={file} />
          <Scores file={file} copy={copy} />
        </>
      )}
    </WorkItem>
  )
}

function Composition({ file }: { file: Evaluation }) {
  return (
    <Card title="得分构成" remark="得分为已评价活动的均分；未评价的活动不计">
      <Pairs
        items={[
          { label: '已评价活动', value: `${file.scores.length} 次` },
          { label: '活动均分', value: file.meanScore },
          { label: '得分', value: file.score ?? '次数不足，不定等级' },
          { label: '等级', value: file.gradeName },
          { label: '未交外出报告', value: `${file.missingReports} 次（不扣分）` },
        ]}
      />
    </Card>
  )
}

function Lines({ file }: { file: Evaluation }) {
  const { lines, fieldLines } = file
  if (!lines) return null
  const series = (name: string, of: NonNullable<typeof lines>, color: string, dashed: boolean) => ({
    name,
    value: lineNames.map((one) => of[one]),
    itemStyle: { color },
    lineStyle: { color, type: dashed ? 'dashed' : 'solid' },
    areaStyle: { color, opacity: dashed ? 0 : 0.12 },
  })
  const option = {
    tooltip: {},
    legend: { left: 0, top: 0, orient: 'vertical', itemWidth: 14 },
    radar: {
      center: ['52%', '54%'],
      radius: '66%',
      indicator: lineNames.map((one) => ({ name: scoreLines[one], max: mostOfLine, min: 0 })),
      axisName: { color: colors.text2, fontSize: 11 },
    },
    series: [
      {
        type: 'radar',
        data: [series('本人', lines, colors.primary, false), ...(fieldLines ? [series('同专业均值', fieldLines, colors.text3, true)] : [])],
      },
    ],
  }
  const label = `五项均分：${lineNames.map((one) => `${scoreLines[one]} ${lines[one]}`).join('；')}`
  return (
    <Card title="五项评价" remark="每项 20 分">
      <Chart option={option} label={label} height={260} />
    </Card>
  )
}

function Scores({ file, copy }: { file: Evaluation; copy: boolean }) {
  const [corrected, setCorrected] = useState<Scored>()
  return (
    <Card title="活动评价" remark={`${file.scores.length} 次`}>
      {file.scores.length === 0 && <p className="zg-2">这一年没有评价</p>}
      <ul className="zg-work-lines">
        {file.scores.map((one) => (
          <li key={one.id}>
            <b>{one.total} 分</b> {one.title} <span className="zg-2">{copy ? one.date : `${one.date} ${one.organiserName ?? ''}`}</span>
            {one.before !== null && (
              <Tag tone="warning">{`原 ${one.before} 分，${copy ? '已更正' : `${one.correctedBy ?? ''}更正：${one.correctReason ?? ''}`}`}</Tag>
            )}
            {one.sentence && <p className="expert-text">{one.sentence}</p>}
            <p className="zg-2">{lineNames.map((name) => `${scoreLines[name]} ${one.lines[name]}`).join('，')}</p>
            {one.canCorrect && !copy && (
              <Button size="small" onClick={() => setCorrected(one)}>
                更正
              </Button>
            )}
          </li>
        ))}
      </ul>
      {corrected && <CorrectDrawer one={corrected} onClose={() => setCorrected(undefined)} />}
    </Card>
  )
}

function CorrectDrawer({ one, onClose }: { one: Scored; onClose: () => void }) {
  const act = useAct(correctScore, { success: '已更正', onDone: onClose })
  const [lines, setLines] = useState(one.lines)
  const [reason, setReason] = useState('')
  return (
    <PageDrawer open size={520} title="更正评价" onClose={onClose}>
      <div className="expert-review">
        <p className="zg-2">
          {one.title}，{one.date}，原 {one.total} 分。原分保留。
        </p>
        <ScoreFields lines={lines} onChange={setLines} />
        <ItemText label="更正原因" hint="申诉或核实情况" value={reason} onChange={setReason} problem={act.fieldErrors.reason} />
        <Button
          type="primary"
          loading={act.running}
          onClick={() => void act.run({ params: { id: one.id }, query: anywhere, body: { ...lines, reason } }, { fieldsShown: true })}
        >
          更正
        </Button>
      </div>
    </PageDrawer>
  )
}

function Years({ file }: { file: Evaluation }) {
  return (
    <Card title="历年">
      <ul className="zg-work-lines expert-linked">
        <li>
          {file.year} 年：{file.score ?? '--'} {file.gradeName}
        </li>
        {file.years.map((one) => (
          <li key={one.year}>
            <Link to={hrefOf(path, { id: file.id, year: one.year })}>{one.year} 年</Link>：{one.score ?? '--'} {one.gradeName}
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Appeals({ file }: { file: Evaluation }) {
  const act = useAct(appealScore, { success: '申诉已登记' })
  const add = async () => {
    const text = await askReason(`登记 ${file.name} 的申诉`, '申诉内容')
    if (text) await act.run({ params: { id: file.id }, query: anywhere, body: { year: file.year, text } })
  }
  return (
    <Card
      title="申诉"
      actions={
        <Can call={appealScore}>
          <Button size="small" loading={act.running} onClick={() => void add()}>
            登记申诉
          </Button>
        </Can>
      }
    >
      {file.appeals.length === 0 && <p className="zg-2">没有申诉</p>}
      <ul className="zg-work-lines">
        {file.appeals.map((one) => (
          <li key={one.id}>
            {one.text}{' '}
            <span className="zg-2">
              {one.byName} {one.time.slice(0, 16)}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
