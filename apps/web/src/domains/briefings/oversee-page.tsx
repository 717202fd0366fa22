import { PlusOutlined } from '@ant-design/icons'
import { createManagerBriefing, gangBriefingList, listGangBriefings } from '@zhugong/contract/briefings/calls'
import { Button, Segmented } from 'antd'
import type { ReactNode } from 'react'
import { useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { FigureStrip } from '#kit/feedback.tsx'
import { thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useProjectScope } from '#kit/me.ts'
import { hrefOf, useGo, usePageQuery } from '#kit/page.tsx'
import { filterWords, openOf, paths } from './briefing-words.tsx'
import { useBriefingColumns } from './columns.tsx'
import { GapTable } from './gap-table.tsx'
import { ManagerTable } from './manager-table.tsx'
import { PeopleTable } from './people-table.tsx'
import './briefings.css'

const views = [
  { value: '', label: '作业交底' },
  { value: 'managers', label: '方案与监督交底' },
  { value: 'gap', label: '应交底未交底' },
  { value: 'people', label: '未交底人员' },
]

/** Is everyone who works on dangerous works briefed, and are the briefings genuine? */
export default function OverseePage() {
  const go = useGo()
  const scope = useProjectScope()
  const view = usePageQuery().get('view') ?? ''
  const { data } = useCall(listGangBriefings, { query: { ...scope, size: 1 } }, { quiet: true })
  const counts = data?.counts
  const choice = <Segmented options={views} value={view} onChange={(next) => go(paths.oversee, next ? { view: next } : {})} />
  return (
    <ListShell
      actions={
        <Can call={createManagerBriefing}>
          <Button type="primary" icon={<PlusOutlined />} onClick={() => go(paths.managerForm)}>
            新建方案或监督交底
          </Button>
        </Can>
      }
      strip={
        <FigureStrip
          loading={!counts}
          items={[
            {
              label: '本月交底',
              value: thousands(counts?.month),
              unit: '次',
              remark: counts ? `覆盖 ${thousands(counts.covered)} 人` : undefined,
              href: `${paths.oversee}?tab=month`,
            },
            {
              label: '应交底未交底',
              value: thousands(counts?.gaps),
              unit: '项',
              tone: counts?.gaps ? 'danger' : undefined,
              href: `${paths.oversee}?view=gap`,
            },
            {
              label: '签字不全',
              value: thousands(counts?.open),
              unit: '次',
              tone: counts?.open ? 'warning' : undefined,
              href: `${paths.oversee}?tab=open`,
            },
            {
              label: '签字存疑',
              value: thousands(counts?.doubtful),
              unit: '次',
              tone: counts?.doubtful ? 'danger' : undefined,
              href: `${paths.oversee}?doubtful=true`,
            },
          ]}
        />
      }
    >
      {view === 'gap' ? (
        <GapTable views={choice} reminds />
      ) : view === 'people' ? (
        <PeopleTable views={choice} />
      ) : view === 'managers' ? (
        <ManagerTable views={choice} />
      ) : (
        <Gangs views={choice} />
      )}
    </ListShell>
  )
}

function Gangs({ views: choice }: { views: ReactNode }) {
  const go = useGo()
  const scope = useProjectScope()
  const list = useListPage(gangBriefingList, { scope, defaultSort: '-date', tabs: ['tab'], own: ['view'] })
  return (
    <DataTable
      list={list}
      columns={useBriefingColumns('gang')}
      unit="次"
      search={{ key: 'name', placeholder: '交底名称' }}
      toolbar={
        <>
          {choice}
          <Segmented
            options={[
              { value: '', label: '全部' },
              { value: 'month', label: '本月' },
              { value: 'open', label: '签字不全' },
            ]}
            value={list.filters.tab ?? ''}
            onChange={(tab) => list.setFilter('tab', tab || undefined)}
          />
        </>
      }
      onRow={(row) => go(...openOf(row, 'outside'))}
      filterWords={filterWords}
      emptyHint="各项目发起签字的作业交底列在这里"
      actions={(row) => [{ label: '查看', href: hrefOf(...openOf(row, 'outside')) }]}
    />
  )
}
