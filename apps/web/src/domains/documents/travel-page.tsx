import { PlusOutlined } from '@ant-design/icons'
import { issueTravel, listTravel, type TravelRow, type TravelTab, travelList, travelTabs } from '@zhugong/contract/documents/travel'
import { openStates, requirementNames, stopStateNames, stopStates } from '@zhugong/contract/documents/travel-moves'
import { Button, Segmented } from 'antd'
import { useState } from 'react'
import { useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { FigureStrip, Tag } from '#kit/feedback.tsx'
import { thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useGo, usePageQuery } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { paths } from './document-words.tsx'
import { TravelDrawer } from './travel-drawer.tsx'
import { IssueSheet } from './travel-forms.tsx'

const tabOptions = Object.entries(travelTabs).map(([value, label]) => ({ value, label }))
const wordsOf = (names: Readonly<Record<string, string>>) => Object.entries(names).map(([value, label]) => ({ value, label }))
const isTab = (value: string | undefined): value is TravelTab => value !== undefined && value in travelTabs

/** What came down to us, what must go up, and who is late? */
export default function TravelPage() {
  const go = useGo()
  const query = usePageQuery()
  const scope = { projectCode: '*' }
  const list = useListPage(travelList, { scope, defaultSort: '-issueTime', tabs: ['tab'], own: ['id'] })
  const tab = isTab(list.filters.tab) ? list.filters.tab : 'received'
  const { data } = useCall(listTravel, { query: { ...scope, size: 1 } }, { quiet: true })
  const [issuing, setIssuing] = useState(false)
  const counts = data?.counts
  const opened = query.get('id')
  const open = (id: string | undefined) => go(paths.travel, { ...Object.fromEntries(query), id }, { replace: true })
  return (
    <ListShell
      strip={
        <FigureStrip
          loading={!counts}
          items={[
            { label: '待我办理', value: thousands(counts?.open), unit: '件', href: `${paths.travel}?state=${openStates.join(',')}` },
            {
              label: '我已超期',
              value: thousands(counts?.late),
              unit: '件',
              tone: counts?.late ? 'danger' : undefined,
              href: `${paths.travel}?late=true`,
            },
            { label: '被退回', value: thousands(counts?.returned), unit: '件', href: `${paths.travel}?state=${stopStates.returned}` },
            {
              label: '下级超期',
              value: thousands(counts?.behind),
              unit: '件',
              tone: counts?.behind ? 'warning' : undefined,
              href: `${paths.travel}?tab=issued&late=true`,
            },
          ]}
        />
      }
      actions={
        <Can call={issueTravel}>
          <Button type="primary" icon={<PlusOutlined />} onClick={() => setIssuing(true)}>
            下发
          </Button>
        </Can>
      }
    >
      <DataTable
        list={list}
        columns={useColumns(tab, open)}
        unit="件"
        search={{ key: 'title', placeholder: '标题' }}
        toolbar={
          <Segmented
            options={tabOptions}
            value={tab}
            onChange={(value) => list.setFilter('tab', value === 'received' ? undefined : value)}
          />
        }
        onRow={(row) => open(row.id)}
        filterWords={{ late: { title: '截止', words: { true: '已超期' } } }}
        emptyHint={tab === 'received' || tab === 'reports' ? '上级下发的资料会出现在这里' : '点“下发”发给下一级单位'}
        actions={(row) => [{ label: '查看', onClick: () => open(row.id) }]}
      />
      {opened && <TravelDrawer id={opened} onClose={() => open(undefined)} />}
      {issuing && <IssueSheet onClose={() => setIssuing(false)} />}
    </ListShell>
  )
}

function useColumns(tab: TravelTab, open: (id: string) => void): ColumnOf<typeof travelList>[] {
  const isOwn = tab === 'received' || tab === 'reports'
  return [
    {
      key: 'title',
      width: 280,
      locked: true,
      sort: true,
      filter: 'text',
      value: (r) => (
        <button type="button" className="zg-bare zg-link" onClick={() => open(r.id)}>
          {r.title}
        </button>
      ),
    },
    { key: 'fromName', width: 200, filter: 'text', value: (r) => r.fromName },
    { key: 'issueTime', width: 150, sort: true, filter: 'date-range', value: (r) => r.issueTime.slice(0, 16) },
    { key: 'requirement', width: 90, filter: 'multi', options: wordsOf(requirementNames), value: (r) => r.requirementName },
    {
      key: 'deadline',
      width: 140,
      keeps: true,
      sort: true,
      filter: 'date-range',
      value: (r) => (
        <span className={r.late ? 'tone-danger' : undefined}>{r.deadline ? `${r.deadline}${r.late ? ' 超期' : ''}` : '--'}</span>
      ),
    },
    {
      key: 'progress',
      width: 200,
      value: (r: TravelRow) => r.progress.map((one) => `${one.name} ${one.done}/${one.all}`).join('，') || '--',
    },
    ...(isOwn
      ? [
          {
            key: 'state' as const,
            width: 100,
            keeps: true,
            filter: 'multi' as const,
            options: wordsOf(stopStateNames),
            value: (r: TravelRow) =>
              r.stateName ? (
                <Tag tone={r.state === stopStates.done ? 'fine' : r.state === stopStates.returned ? 'danger' : 'running'}>
                  {r.stateName}
                </Tag>
              ) : (
                '--'
              ),
          },
        ]
      : []),
  ]
}
