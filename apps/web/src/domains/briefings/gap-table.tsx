import { type BriefingGap, gapList, remindGap } from '@zhugong/contract/briefings/calls'
import type { ReactNode } from 'react'
import { useAct } from '#kit/call.ts'
import { DataTable } from '#kit/data-table.tsx'
import { Tag } from '#kit/feedback.tsx'
import { useListPage } from '#kit/list.ts'
import { useProjectCode, useProjectScope } from '#kit/me.ts'
import { hrefOf } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { paths } from './briefing-words.tsx'

const kinds = [
  { value: 'work', label: '危大工程' },
  { value: 'team', label: '新进场班组' },
]

/** Dangerous works and new gangs that nobody has been briefed for. */
export function GapTable({ views, reminds = false }: { views: ReactNode; reminds?: boolean }) {
  const scope = useProjectScope()
  const isOne = useProjectCode() !== '*'
  const list = useListPage(gapList, { scope, fixedQuery: { view: 'gap' }, own: ['view', 'tab'] })
  const act = useAct(remindGap, { success: ({ told }) => `已督促，通知 ${told} 人` })
  const all: ColumnOf<typeof gapList>[] = [
    { key: 'kind', width: 110, locked: true, filter: 'multi', options: kinds, value: (r) => <Tag icon={false}>{nameOf(r)}</Tag> },
    { key: 'name', width: 220, locked: true, filter: 'text', value: (r) => r.name },
    { key: 'projectName', width: 160, value: (r) => r.projectName },
    { key: 'corpName', width: 200, value: (r) => r.corpName },
    { key: 'remark', width: 150, value: (r) => r.remark },
    {
      key: 'since',
      width: 170,
      keeps: true,
      sort: true,
      value: (r) => (
        <>
          {r.since} {r.soon && <Tag tone="danger">即将作业</Tag>}
        </>
      ),
    },
    { key: 'people', width: 96, align: 'right', value: (r) => r.people },
    { key: 'remindedAt', width: 150, weak: true, value: (r) => r.remindedAt?.slice(0, 16) },
  ]
  const columns = isOne ? all.filter((column) => column.key !== 'projectName') : all
  const ids = (r: BriefingGap) => (r.kind === 'work' ? { bigProjectId: r.id, teamId: null } : { bigProjectId: null, teamId: r.id })
  return (
    <DataTable
      list={list}
      columns={columns}
      rowKey="key"
      name="briefing-gaps"
      unit="项"
      search={{ key: 'name', placeholder: '名称' }}
      toolbar={views}
      filterWords={{ soon: { title: '开工', words: { true: '3 日内' } } }}
      emptyHint="实施中的危大工程和新进场班组都已交底"
      actions={(r) => [
        !reminds && {
          label: '去交底',
          needs: 'safety-management.edit',
          href: hrefOf(paths.form, r.kind === 'work' ? { work: r.id } : { team: r.id }),
        },
        reminds && {
          label: '督促',
          needs: remindGap,
          onClick: () => void act.run({ query: { projectCode: r.projectCode }, body: ids(r) }),
        },
      ]}
    />
  )
}

const nameOf = ({ kind }: BriefingGap) => kinds.find((one) => one.value === kind)?.label
