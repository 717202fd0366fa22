import { permitList } from '@zhugong/contract/hazards/calls'
import { permitStates } from '@zhugong/contract/hazards/permit-moves'
import { permitTypes } from '@zhugong/contract/hazards/permit-rules'
import { Segmented } from 'antd'
import { DataTable } from '#kit/data-table.tsx'
import { useListPage } from '#kit/list.ts'
import { type Around, ListShell } from '#kit/list-shell.tsx'
import { useProjectCode, useProjectScope } from '#kit/me.ts'
import { hrefOf, useGo } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { Countdown, PermitTag, paths, typeOptions } from './hazard-words.tsx'

const tabs = [
  { value: '', label: '全部' },
  { value: 'todo', label: '待我处理' },
  { value: 'today', label: '今日' },
  { value: 'draft', label: '草稿' },
]
/** Levels that some type has. */
const levels = [...new Set(Object.values(permitTypes).flatMap((one) => Object.keys(one.grades)))].filter(Boolean)

/** The work permits of the sites. */
export function PermitTable({ around }: { around: Around }) {
  const go = useGo()
  const scope = useProjectScope()
  const list = useListPage(permitList, {
    scope,
    fixedQuery: { kind: 'permit' },
    defaultSort: '-startTime',
    tabs: ['tab'],
    own: ['kind', 'view'],
    everyMs: 60_000,
  })
  const columns = useColumns()
  return (
    <ListShell actions={around.actions} strip={around.strip}>
      <DataTable
        list={list}
        columns={columns}
        unit="张"
        search={{ key: 'code', placeholder: '编号' }}
        toolbar={
          <>
            {around.views}
            <Segmented options={tabs} value={list.filters.tab ?? ''} onChange={(tab) => list.setFilter('tab', tab || undefined)} />
          </>
        }
        onRow={(row) => go(paths.detail, { permit: row.id })}
        emptyHint="动火、高处、吊装、有限空间等作业先开票，批准后才能开工"
        filterWords={{ late: { title: '超时', words: { true: '曾超时' } } }}
        actions={(row) => [{ label: '查看', href: hrefOf(paths.detail, { permit: row.id }) }]}
      />
    </ListShell>
  )
}

function useColumns(): ColumnOf<typeof permitList>[] {
  const projectCode = useProjectCode()
  const states = Object.entries(permitStates).map(([value, label]) => ({ value, label }))
  const minute = (time: string) => <span className="zg-num">{time.slice(0, 16)}</span>
  const all: ColumnOf<typeof permitList>[] = [
    { key: 'code', width: 196, locked: true, filter: 'text', sort: true, value: (r) => r.code ?? <span className="zg-2">草稿</span> },
    { key: 'projectName', width: 150, value: (r) => r.projectName },
    { key: 'type', width: 110, keeps: true, filter: 'multi', options: typeOptions, value: (r) => r.typeName },
    { key: 'level', width: 76, filter: 'multi', options: levels.map((one) => ({ value: one, label: one })), value: (r) => r.level },
    { key: 'content', width: 170, value: (r) => r.content },
    { key: 'part', width: 130, filter: 'text', value: (r) => r.part },
    { key: 'corpName', width: 150, weak: true, filter: 'text', value: (r) => r.corpName },
    { key: 'startTime', width: 136, sort: true, filter: 'date-range', value: (r) => minute(r.startTime) },
    {
      key: 'endTime',
      width: 190,
      sort: true,
      value: (r) => (
        <>
          {minute(r.endTime)} <Countdown row={r} />
        </>
      ),
    },
    { key: 'guardian', width: 90, filter: 'text', value: (r) => r.guardian },
    { key: 'workerCount', width: 90, align: 'right', weak: true, value: (r) => r.workerCount },
    { key: 'late', width: 76, weak: true, value: (r) => (r.late ? <span className="tone-danger">超时</span> : null) },
    { key: 'state', width: 160, keeps: true, filter: 'multi', options: states, value: (r) => <PermitTag row={r} /> },
  ]
  return projectCode === '*' ? all : all.filter((column) => column.key !== 'projectName')
}
