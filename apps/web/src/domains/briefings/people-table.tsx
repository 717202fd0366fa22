import { unbriefedList } from '@zhugong/contract/briefings/calls'
import type { ReactNode } from 'react'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { Tag } from '#kit/feedback.tsx'
import { useListPage } from '#kit/list.ts'
import { useProjectCode, useProjectScope } from '#kit/me.ts'
import { hrefOf } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { paths } from './briefing-words.tsx'

const yesNo = (yes: string, no: string) => [
  { value: 'true', label: yes },
  { value: 'false', label: no },
]

/** People on the site who have signed no briefing for their trade. */
export function PeopleTable({ views }: { views: ReactNode }) {
  const scope = useProjectScope()
  const isOne = useProjectCode() !== '*'
  const dicts = useDicts('workerType')
  const list = useListPage(unbriefedList, { scope, fixedQuery: { view: 'people' }, own: ['view', 'tab'] })
  const all: ColumnOf<typeof unbriefedList>[] = [
    { key: 'name', width: 100, locked: true, sort: true, filter: 'text', value: (r) => r.name },
    { key: 'workType', width: 120, filter: 'tree-cascader', tree: dicts.tree('workerType'), value: (r) => r.workTypeName },
    { key: 'teamName', width: 150, value: (r) => r.teamName },
    { key: 'corpName', width: 220, value: (r) => r.corpName },
    { key: 'projectName', width: 160, value: (r) => r.projectName },
    {
      key: 'entryTime',
      width: 130,
      sort: true,
      filter: 'single',
      filterKey: 'fresh',
      options: yesNo('本周进场', '本周以前'),
      value: (r) => r.entryTime,
    },
    {
      key: 'present',
      width: 110,
      keeps: true,
      filter: 'single',
      options: yesNo('今日在场', '今日未到'),
      value: (r) => <Tag tone={r.present ? 'warning' : 'neutral'}>{r.present ? '在场' : '未到'}</Tag>,
    },
    {
      key: 'waiting',
      width: 110,
      keeps: true,
      value: (r) => (r.waiting ? <Tag tone="warning">待补签</Tag> : <Tag tone="danger">未交底</Tag>),
    },
  ]
  const columns = isOne ? all.filter((column) => column.key !== 'projectName') : all
  return (
    <DataTable
      list={list}
      columns={columns}
      name="unbriefed-people"
      unit="人"
      search={{ key: 'name', placeholder: '姓名' }}
      toolbar={views}
      filterWords={{
        fresh: { title: '进场', words: { true: '本周', false: '本周以前' } },
        present: { title: '今日', words: { true: '在场', false: '未到' } },
      }}
      emptyHint="在场人员都签过本工种的交底"
      actions={(r) => [
        r.teamId !== null && { label: '去交底', needs: 'safety-management.edit', href: hrefOf(paths.form, { team: r.teamId }) },
      ]}
    />
  )
}
