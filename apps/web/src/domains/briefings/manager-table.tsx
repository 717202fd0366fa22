import { managerBriefingList } from '@zhugong/contract/briefings/calls'
import { briefingStates } from '@zhugong/contract/briefings/moves'
import type { ReactNode } from 'react'
import { DataTable } from '#kit/data-table.tsx'
import { useListPage } from '#kit/list.ts'
import { useProjectScope } from '#kit/me.ts'
import { hrefOf, useGo } from '#kit/page.tsx'
import { filterWords, openOf } from './briefing-words.tsx'
import { useBriefingColumns } from './columns.tsx'

/** Briefings of managers about plans and supervision. */
export function ManagerTable({ views }: { views: ReactNode }) {
  const go = useGo()
  const scope = useProjectScope()
  const list = useListPage(managerBriefingList, { scope, defaultSort: '-date', tabs: ['tab'], own: ['view'] })
  return (
    <DataTable
      list={list}
      columns={useBriefingColumns('managers')}
      name="manager-briefings"
      unit="次"
      search={{ key: 'name', placeholder: '交底名称' }}
      toolbar={views}
      onRow={(row) => go(...openOf(row, 'outside'))}
      filterWords={filterWords}
      emptyHint="方案交底、监督交底、监理交底列在这里"
      actions={(row) => [
        {
          label: row.state === briefingStates.draft ? '继续填写' : '查看',
          href: hrefOf(...openOf(row, 'outside')),
        },
      ]}
    />
  )
}
