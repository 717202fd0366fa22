import { PlusOutlined } from '@ant-design/icons'
import { createGangBriefing, gangBriefingList, listGangBriefings } from '@zhugong/contract/briefings/calls'
import { briefingStates } from '@zhugong/contract/briefings/moves'
import { Button, Segmented } from 'antd'
import { useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { FigureStrip } from '#kit/feedback.tsx'
import { thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useProjectScope } from '#kit/me.ts'
import { hrefOf, useGo, usePageQuery } from '#kit/page.tsx'
import { usePrint } from '#kit/use-print.ts'
import { filterWords, openOf, paths } from './briefing-words.tsx'
import { useBriefingColumns } from './columns.tsx'
import { GapTable } from './gap-table.tsx'
import { ManagerTable } from './manager-table.tsx'
import { PeopleTable } from './people-table.tsx'
import './briefings.css'

const views = [
  { value: '', label: '交底记录' },
  { value: 'people', label: '未交底人员' },
  { value: 'gap', label: '应交底未交底' },
  { value: 'managers', label: '方案与监督交底' },
]
const tabs = [
  { value: '', label: '全部' },
  { value: 'todo', label: '待我处理' },
  { value: 'open', label: '待签字' },
  { value: 'draft', label: '草稿' },
]

/** Which gang still has to be briefed before work begins, whose signature is missing? */
export default function GangListPage() {
  const go = useGo()
  const scope = useProjectScope()
  const view = usePageQuery().get('view') ?? ''
  const { data } = useCall(listGangBriefings, { query: { ...scope, size: 1 } }, { quiet: true, offline: true })
  const counts = data?.counts
  const choice = <Segmented options={views} value={view} onChange={(next) => go(paths.list, next ? { view: next } : {})} />
  return (
    <ListShell
      actions={
        <Can call={createGangBriefing}>
          <Button type="primary" icon={<PlusOutlined />} onClick={() => go(paths.form)}>
            新建交底
          </Button>
        </Can>
      }
      strip={
        <FigureStrip
          loading={!counts}
          items={[
            {
              label: '待签字',
              value: thousands(counts?.open),
              unit: '次',
              tone: counts?.open ? 'warning' : undefined,
              href: `${paths.list}?tab=open`,
            },
            {
              label: '本周新进场未交底',
              value: thousands(counts?.fresh),
              unit: '人',
              tone: counts?.fresh ? 'danger' : undefined,
              href: `${paths.list}?view=people&fresh=true`,
            },
            {
              label: '在场未交底',
              value: thousands(counts?.unbriefed),
              unit: '人',
              remark: '本工种没有签过交底',
              href: `${paths.list}?view=people`,
            },
            {
              label: '即将作业',
              value: thousands(counts?.soon),
              unit: '项',
              remark: '3 日内开工的危大工程未交底',
              tone: counts?.soon ? 'danger' : undefined,
              href: `${paths.list}?view=gap&soon=true`,
            },
          ]}
        />
      }
    >
      {view === 'people' ? (
        <PeopleTable views={choice} />
      ) : view === 'gap' ? (
        <GapTable views={choice} />
      ) : view === 'managers' ? (
        <ManagerTable views={choice} />
      ) : (
        <Records views={choice} />
      )}
    </ListShell>
  )
}

function Records({ views: choice }: { views: React.ReactNode }) {
  const go = useGo()
  const scope = useProjectScope()
  const list = useListPage(gangBriefingList, { scope, tabs: ['tab'], own: ['view'] })
  const print = usePrint('briefingSheet')
  const columns = useBriefingColumns('gang')
  return (
    <DataTable
      list={list}
      columns={columns}
      unit="次"
      search={{ key: 'name', placeholder: '交底名称' }}
      toolbar={
        <>
          {choice}
          <Segmented options={tabs} value={list.filters.tab ?? ''} onChange={(tab) => list.setFilter('tab', tab || undefined)} />
        </>
      }
      onRow={(row) => go(...openOf(row, 'site'))}
      filterWords={filterWords}
      emptyHint="作业前向班组交底并逐人签字：从“新建交底”开始"
      actions={(row) => [
        row.state === briefingStates.signing
          ? { label: '继续签字', href: hrefOf(paths.detail, { id: row.id, sign: 'yes' }) }
          : {
              label: row.state === briefingStates.draft ? '继续填写' : '查看',
              href: hrefOf(...openOf(row, 'site')),
            },
        { label: '复制为新交底', needs: createGangBriefing, href: hrefOf(paths.form, { copy: row.id }) },
        row.code !== null && {
          label: '打印',
          onClick: () => void print.run({ body: { feature: 'briefingSheet', exportType: 'pdf', query: { id: row.id } } }),
        },
      ]}
    />
  )
}
