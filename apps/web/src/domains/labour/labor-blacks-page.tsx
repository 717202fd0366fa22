import { createLaborBlack } from '@zhugong/contract/labour/black'
import { laborBlackFigures, laborBlackList } from '@zhugong/contract/labour/black-lists'
import { teamForm } from '@zhugong/contract/labour/teams'
import { useCall } from '#kit/call.ts'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { FigureStrip } from '#kit/feedback.tsx'
import { thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useProjectScope } from '#kit/me.ts'
import { hrefOf, useGo, usePageQuery } from '#kit/page.tsx'
import { BlackBar, type BlackTab } from './black-bar.tsx'
import { BlackCharts } from './black-charts.tsx'
import { personColumns } from './black-columns.tsx'
import './black.css'

const tabs: readonly BlackTab[] = ['todo', 'waiting', 'effective', 'appeal', 'ended', 'stats']

/** Review of black list entries, and statistics. There is no batch action: each entry is decided after opening its file. */
export default function LaborBlacksPage() {
  const go = useGo()
  const tab = usePageQuery().get('tab') ?? 'todo'
  const scope = useProjectScope()
  const figures = useCall(laborBlackFigures, { query: scope }, { quiet: true })
  const f = figures.data
  const bar = <BlackBar tabs={tabs} tab={tab} create={createLaborBlack} onCreate={() => go('/laborBlackEdit')} />
  return (
    <ListShell
      actions={bar}
      titleActions={tab === 'stats' ? bar : undefined}
      strip={
        <FigureStrip
          loading={!figures.data}
          items={[
            { label: '公示中', value: thousands(f?.effective), unit: '人', href: '/laborBlacks?tab=effective' },
            {
              label: '待审核',
              value: thousands(f?.waiting),
              unit: '条',
              remark: f?.waiting ? `最早 ${f.oldestWaitingDays} 天` : undefined,
              tone: (f?.oldestWaitingDays ?? 0) > 10 ? 'warning' : undefined,
              href: '/laborBlacks?tab=waiting',
            },
            {
              label: '申诉中',
              value: thousands(f?.appealed),
              unit: '条',
              tone: f?.appealed ? 'warning' : undefined,
              href: '/laborBlacks?tab=appeal',
            },
            { label: '30 日内到期', value: thousands(f?.ending), unit: '人', remark: '到期自动移出' },
          ]}
        />
      }
    >
      {tab === 'stats' ? <BlackCharts figures={f} hitWord="拦截" /> : <Entries key={tab} tab={tab} />}
    </ListShell>
  )
}

function Entries({ tab }: { tab: string }) {
  const go = useGo()
  const scope = useProjectScope()
  const dicts = useDicts('blacklistReason', 'blacklistScope', 'misconductState')
  const projects = useCall(teamForm, { query: {} }, { quiet: true })
  const list = useListPage(laborBlackList, { scope: { ...scope, view: tab as 'todo' }, defaultSort: '-waitingDays', own: ['tab'] })
  return (
    <DataTable
      list={list}
      columns={personColumns(dicts, projects.data?.projects ?? [], { deciding: true })}
      unit="条"
      name={`labor-blacks-${tab}`}
      search={{ key: 'q', placeholder: '姓名、证件号码' }}
      onRow={(e) => go('/LaborBlackDetail', { id: e.id })}
      emptyHint={tab === 'todo' ? '没有等您办理的记录' : undefined}
      actions={(e) => [{ label: tab === 'todo' ? '办理' : '查看', href: hrefOf('/LaborBlackDetail', { id: e.id }) }]}
    />
  )
}
