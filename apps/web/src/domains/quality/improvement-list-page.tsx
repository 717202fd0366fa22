import { PlusOutlined } from '@ant-design/icons'
import {
  createImprovement,
  type ImprovementRow,
  improvementList,
  improvementMatrix,
  listImprovements,
} from '@zhugong/contract/quality/improvement'
import { causeNames, improvementStates } from '@zhugong/contract/quality/improvement-moves'
import { qualityDays } from '@zhugong/contract/quality/inspection'
import { Button, Segmented } from 'antd'
import { useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { Card, FigureStrip } from '#kit/feedback.tsx'
import { thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useProjectCode, useProjectScope } from '#kit/me.ts'
import { hrefOf, useGo } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { Deadline, StateTag } from '../checks/public.tsx'
import { improvementPaths as paths, VerdictTag } from './quality-words.tsx'
import './quality.css'

const tabs = [
  { value: '', label: '全部' },
  { value: 'todo', label: '待我处理' },
  { value: 'running', label: '进行中' },
  { value: 'verify', label: '待验证' },
]

/** Beyond mending, what do we change so that it does not return, and did it not return? */
export default function ImprovementListPage() {
  const go = useGo()
  const scope = useProjectScope()
  const oneProject = useProjectCode() !== '*'
  const list = useListPage(improvementList, { scope, defaultSort: '-overdueDays', tabs: ['tab'] })
  const { data } = useCall(listImprovements, { query: { ...scope, size: 1 } }, { quiet: true })
  const columns = useColumns(data?.sources ?? [])
  const counts = data?.counts
  return (
    <ListShell
      actions={
        <Can call={createImprovement}>
          <Button type="primary" icon={<PlusOutlined />} onClick={() => go(paths.form)}>
            新增改进
          </Button>
        </Can>
      }
      strip={
        <FigureStrip
          loading={!counts}
          items={[
            { label: '进行中', value: thousands(counts?.running), unit: '份', href: `${paths.list}?tab=running` },
            {
              label: '逾期',
              value: thousands(counts?.overdue),
              unit: '份',
              tone: counts?.overdue ? 'danger' : undefined,
              href: `${paths.list}?overdue=true`,
            },
            { label: '已验证有效', value: thousands(counts?.effective), unit: '份', href: `${paths.list}?tab=effective` },
            {
              label: '复发',
              value: thousands(counts?.again),
              unit: '份',
              tone: counts?.again ? 'warning' : undefined,
              href: `${paths.list}?tab=again`,
            },
          ]}
        />
      }
      above={!oneProject && <Matrix />}
    >
      <DataTable
        list={list}
        columns={columns}
        unit="份"
        search={{ key: 'title', placeholder: '名称' }}
        toolbar={<Segmented options={tabs} value={list.filters.tab ?? ''} onChange={(tab) => list.setFilter('tab', tab || undefined)} />}
        onRow={(row) => go(...pageOf(row))}
        emptyHint="还没有质量改进：同一通病反复出现时，写一份有原因、有预防、有验证日期的改进单"
        filterWords={{ overdue: { title: '逾期', words: { true: '已逾期' } } }}
        actions={(row) => [
          {
            label: row.state === draft ? '继续填写' : row.state === improvementStates.recheck ? '复查' : '查看',
            href: hrefOf(...pageOf(row)),
          },
        ]}
      />
    </ListShell>
  )
}

const { draft } = improvementStates
const pageOf = ({ id, state }: ImprovementRow): [string, { id: string }] => [state === draft ? paths.form : paths.detail, { id }]

/** Which defect troubles which site. */
function Matrix() {
  const { data } = useCall(improvementMatrix, { query: { projectCode: '*' } }, { quiet: true })
  if (!data || data.sites.length === 0) return null
  const most = Math.max(1, ...data.sites.flatMap((site) => site.cells.map((one) => one.found)))
  return (
    <Card className="quality-matrix" title="通病 × 项目" remark={`近 ${qualityDays} 天发现的问题数，括号内为进行中的改进单`}>
      <div className="quality-scroll">
        <table className="quality-table">
          <thead>
            <tr>
              <th>项目</th>
              {data.problems.map((one) => (
                <th key={one.code} className="num">
                  {one.name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {data.sites.map((site) => (
              <tr key={site.projectCode}>
                <td>{site.projectName}</td>
                {data.problems.map(({ code }) => {
                  const cell = site.cells.find((one) => one.problem === code)
                  return (
                    <td key={code} className="num" data-heat={cell?.found ? Math.ceil((cell.found / most) * heats) : 0}>
                      {cell?.found ? <b>{cell.found}</b> : <span className="zg-2">0</span>}
                      {cell?.running ? `（${cell.running}）` : ''}
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  )
}
/** Steps of shading. */
const heats = 4

function useColumns(sources: readonly { value: string; label: string }[]): ColumnOf<typeof improvementList>[] {
  const dicts = useDicts('qualityProblem', 'rectifyState')
  const oneProject = useProjectCode() !== '*'
  const all: ColumnOf<typeof improvementList>[] = [
    { key: 'code', width: 180, locked: true, filter: 'text', value: (r) => r.code ?? <span className="zg-2">草稿</span> },
    { key: 'projectName', width: 150, value: (r) => r.projectName },
    { key: 'title', width: 220, keeps: true, filter: 'text', value: (r) => r.title },
    { key: 'qualityProblem', width: 130, filter: 'multi', options: dicts.options('qualityProblem'), value: (r) => r.qualityProblemName },
    {
      key: 'state',
      width: 170,
      keeps: true,
      filter: 'multi',
      options: dicts.options('rectifyState'),
      value: (r) => (
        <span className="zg-row zg-gap-6">
          <StateTag row={r} />
          <VerdictTag row={r} />
        </span>
      ),
    },
    { key: 'source', width: 84, filter: 'multi', options: sources, value: (r) => r.sourceName },
    { key: 'parts', width: 170, weak: true, filter: 'text', filterKey: 'part', value: (r) => r.parts.join('、') },
    { key: 'findingCount', width: 76, align: 'right', value: (r) => r.findingCount },
    {
      key: 'causes',
      width: 96,
      filter: 'multi',
      filterKey: 'cause',
      options: Object.entries(causeNames).map(([value, label]) => ({ value, label })),
      value: (r) => r.causes.map((one) => causeNames[one]).join('、'),
    },
    { key: 'corpName', width: 180, filter: 'text', value: (r) => r.corpName },
    { key: 'deadline', width: 168, sort: true, filter: 'date-range', value: (r) => <Deadline row={r} /> },
    { key: 'recheckAfter', width: 112, sort: true, value: (r) => r.recheckAfter },
    {
      key: 'recurrence',
      width: 96,
      keeps: true,
      align: 'right',
      sort: true,
      filter: 'numeric-range',
      value: (r) => (r.recurrence ? <span className="tone-danger">{r.recurrence}</span> : r.recurrence),
    },
  ]
  return oneProject ? all.filter((column) => column.key !== 'projectName') : all
}
