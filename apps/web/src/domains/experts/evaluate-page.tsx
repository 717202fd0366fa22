import {
  freezeYear,
  giveScore,
  lineNames,
  listYearScores,
  needsSentence,
  type PendingRow,
  pendingList,
  yearList,
} from '@zhugong/contract/experts/scores'
import { Button, Segmented } from 'antd'
import { type ReactNode, useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Can, useCan } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { Notice, Tag } from '#kit/feedback.tsx'
import { Choice } from '#kit/inputs.tsx'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { PageDrawer } from '#kit/overlay.tsx'
import { hrefOf, useGo, usePageQuery } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { ItemText } from '#kit/work-item.tsx'
import { today } from './days.ts'
import { GradeTag } from './expert-words.tsx'
import { type Lines, ScoreFields } from './score-fields.tsx'
import './experts.css'

const path = '/person/expert/evaluate'
const detailPage = '/person/expert/evaluateDetail'
const anywhere = { projectCode: '*' }
const thisYear = () => Number(today().slice(0, 4))

/** Organiser: score those who took part. Clerk: how does the year stand, who falls below? */
export default function EvaluatePage() {
  const go = useGo()
  const scores = useCan('experts.evaluate')
  const query = usePageQuery()
  const tab = query.get('tab') ?? 'year'
  const { data } = useCall(listYearScores, { query: { ...anywhere, size: 1 } }, { quiet: true })
  const tabs = [
    { value: 'year', label: '年度汇总' },
    ...(scores ? [{ value: 'pending', label: `待我评价 ${data?.pending ?? ''}`.trim() }] : []),
  ]
  const bar = <Segmented options={tabs} value={tab} onChange={(next) => go(path, { tab: next })} />
  return <ListShell>{tab === 'pending' ? <Pending toolbar={bar} /> : <Year toolbar={bar} />}</ListShell>
}

function Pending({ toolbar }: { toolbar: ReactNode }) {
  const list = useListPage(pendingList, { scope: anywhere, own: ['tab'] })
  const [scored, setScored] = useState<PendingRow>()
  const columns: ColumnOf<typeof pendingList>[] = [
    { key: 'title', width: 280, locked: true, filter: 'text', value: (r) => r.title },
    { key: 'date', width: 108, sort: true, value: (r) => r.date },
    { key: 'expertName', width: 96, filter: 'text', value: (r) => r.expertName },
    { key: 'role', width: 72, value: (r) => r.role },
    { key: 'dueDate', width: 120, value: (r) => <span className={r.late ? 'tone-danger' : undefined}>{r.dueDate}</span> },
  ]
  return (
    <>
      <DataTable
        list={list}
        columns={columns}
        name="expert-pending"
        unit="人次"
        search={{ key: 'expertName', placeholder: '专家姓名' }}
        toolbar={toolbar}
        onRow={setScored}
        emptyHint="组织的活动完成归档后，在这里评价到会专家"
        actions={(row) => [{ label: '评价', onClick: () => setScored(row) }]}
      />
      {scored && <ScoreDrawer row={scored} onClose={() => setScored(undefined)} />}
    </>
  )
}

const usual: Lines = { presence: 16, skill: 16, opinion: 16, fairness: 16, discipline: 16 }

function ScoreDrawer({ row, onClose }: { row: PendingRow; onClose: () => void }) {
  const act = useAct(giveScore, { success: '已评价', onDone: onClose })
  const [lines, setLines] = useState(usual)
  const [sentence, setSentence] = useState('')
  const total = lineNames.reduce((sum, name) => sum + lines[name], 0)
  const send = () => void act.run({ query: anywhere, body: { seat: row.id, ...lines, sentence: sentence || null } }, { fieldsShown: true })
  return (
    <PageDrawer open size={520} title={`评价 ${row.expertName}`} onClose={onClose}>
      <div className="expert-review">
        <p className="zg-2">
          {row.title}，{row.date}，{row.role}
        </p>
        <ScoreFields lines={lines} onChange={setLines} />
        <p>
          合计 <b className="expert-total">{total}</b> 分
        </p>
        {needsSentence(lines) && <Notice tone="info">有低于 12 分或高于 18 分的项，请写评语。</Notice>}
        <ItemText label="评语" hint="说明依据" value={sentence} onChange={setSentence} problem={act.fieldErrors.sentence} />
        <Button type="primary" size="large" loading={act.running} onClick={send}>
          提交评价
        </Button>
      </div>
    </PageDrawer>
  )
}

function Year({ toolbar }: { toolbar: ReactNode }) {
  const go = useGo()
  const [year, setYear] = useState(thisYear)
  const list = useListPage(yearList, { scope: { ...anywhere, year }, own: ['tab'] })
  const { data } = useCall(listYearScores, { query: { ...anywhere, year, size: 1 } }, { quiet: true })
  const act = useAct(freezeYear, { success: ({ experts }) => `${year} 年已结算，${experts} 人` })
  const columns = useColumns()
  const years = Array.from({ length: 4 }, (_, i) => thisYear() - i).map((one) => ({ value: String(one), label: `${one} 年` }))
  return (
    <DataTable
      list={list}
      columns={columns}
      name="expert-year"
      unit="人"
      search={{ key: 'name', placeholder: '姓名' }}
      toolbar={
        <span className="zg-row zg-gap-8 zg-middle">
          {toolbar}
          <span className="expert-year">
            <Choice aria-label="年度" clear={false} options={years} value={String(year)} onChange={(next) => setYear(Number(next))} />
          </span>
          {data?.frozen && (
            <Tag tone="fine">
              {data.frozen.at.slice(0, 10)} {data.frozen.by} 已结算
            </Tag>
          )}
          {data?.own && !data.frozen && year < thisYear() && (
            <Can call={freezeYear}>
              <Button
                loading={act.running}
                onClick={() =>
                  void act.afterRequesting(
                    { thing: `结算 ${year} 年度评价`, consequence: '结算后不能再补评，只能由另一人更正。', verb: '结算', keep: '暂不结算' },
                    { query: anywhere, body: { year } },
                  )
                }
              >
                年度结算
              </Button>
            </Can>
          )}
          {data && !data.own && <span className="zg-2">只含本单位组织的活动</span>}
        </span>
      }
      onRow={(row) => go(detailPage, { id: row.id, year })}
      emptyHint={`${year} 年还没有评价`}
      actions={(row) => [{ label: '详情', href: hrefOf(detailPage, { id: row.id, year }) }]}
    />
  )
}

function useColumns(): ColumnOf<typeof yearList>[] {
  const dicts = useDicts('expertSpecialty', 'expertEvaluateGrade')
  return [
    { key: 'rank', width: 64, align: 'right', value: (r) => (r.score === null ? undefined : r.rank) },
    { key: 'name', width: 96, locked: true, filter: 'text', sort: true, value: (r) => r.name },
    {
      key: 'specialties',
      width: 220,
      filter: 'multi',
      options: dicts.options('expertSpecialty'),
      value: (r) => r.specialtyNames.join('、'),
    },
    { key: 'times', width: 88, align: 'right', sort: true, value: (r) => r.times },
    { key: 'meanScore', width: 96, align: 'right', sort: true, filter: 'numeric-range', value: (r) => r.meanScore },
    { key: 'score', width: 80, align: 'right', sort: true, value: (r) => r.score },
    {
      key: 'grade',
      width: 96,
      filter: 'multi',
      options: dicts.options('expertEvaluateGrade'),
      value: (r) => <GradeTag grade={r.grade} name={r.gradeName} />,
    },
    { key: 'lastYear', width: 88, align: 'right', weak: true, value: (r) => r.lastYear },
    { key: 'missingReports', width: 80, align: 'right', weak: true, value: (r) => r.missingReports || undefined },
    { key: 'warn', width: 132, keeps: true, value: (r) => r.warn && <Tag tone="danger">连续两年不合格</Tag> },
  ]
}
