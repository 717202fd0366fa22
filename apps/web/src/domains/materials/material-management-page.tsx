import { PlusOutlined, SettingOutlined } from '@ant-design/icons'
import {
  changeMaterial,
  listMaterials,
  type MaterialRow,
  materialList,
  materialSteps,
  receiveMaterial,
} from '@zhugong/contract/materials/calls'
import { materialMoves, materialStates } from '@zhugong/contract/materials/moves'
import { Button, Segmented } from 'antd'
import { useState } from 'react'
import { askReason } from '#kit/ask.ts'
import { call, useCall } from '#kit/call.ts'
import { Can, useCan } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { useEach } from '#kit/each.ts'
import { FigureStrip, Notice } from '#kit/feedback.tsx'
import { thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useProjectCode, useProjectScope } from '#kit/me.ts'
import { hrefOf, useGo, usePageQuery } from '#kit/page.tsx'
import { ProjectPicker } from '#kit/project-picker.tsx'
import { SidePanel } from '#kit/side-panel.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { MaterialStockTable } from './material-stock.tsx'
import { Deviation, paths, RetestTag, SampleCount, StateTag } from './material-words.tsx'
import { ReceiveDrawer } from './receive-drawer.tsx'
import { RulesDrawer } from './rules-drawer.tsx'
import { UnlinkedTickets } from './unlinked-tickets.tsx'
import './materials.css'

const views = [
  { value: '', label: '批次' },
  { value: 'stock', label: '汇总' },
  { value: 'unmatched', label: '未匹配' },
]

/** What waits for acceptance, sampling or a report today, and how much of each material is there? */
export default function MaterialManagementPage() {
  const projectCode = useProjectCode()
  const view = usePageQuery().get('view') ?? ''
  if (projectCode === '*') return <ProjectPicker why="管理哪个项目的物资" />
  if (view === 'stock') return <MaterialStockTable views={<Views view={view} />} />
  return <Batches key={projectCode} projectCode={projectCode} unmatched={view === 'unmatched'} />
}

function Views({ view }: { view: string }) {
  const go = useGo()
  return (
    <Segmented
      options={views}
      value={view}
      onChange={(next) => go(paths.management, next ? { view: next, ...(next === 'unmatched' ? { step: 'unweighed' } : {}) } : {})}
    />
  )
}

function Batches({ projectCode, unmatched }: { projectCode: string; unmatched: boolean }) {
  const go = useGo()
  const scope = useProjectScope()
  const list = useListPage(materialList, { scope, defaultSort: '-arriveTime', tabs: ['step'], own: ['view'] })
  const { data } = useCall(listMaterials, { query: { ...scope, page: 1, size: 1 } }, { quiet: true, keepPrevious: true })
  const columns = useColumns(data?.suppliers ?? [])
  const [receiving, setReceiving] = useState<{ ticket?: string } | undefined>(undefined)
  const [ruling, setRuling] = useState(false)
  const counts = data?.counts
  const mayReceive = useCan(receiveMaterial.needs)
  const figure = (step: 'accept' | 'sample' | 'report' | 'banned', tone: 'warning' | 'danger') => ({
    label: materialSteps[step],
    value: thousands(counts?.[step]),
    unit: '批',
    tone: counts?.[step] ? tone : undefined,
    href: `${paths.management}?step=${step}`,
  })
  return (
    <ListShell
      actions={
        <Can call={receiveMaterial}>
          <Button type="primary" icon={<PlusOutlined />} onClick={() => setReceiving({})}>
            进场登记
          </Button>
        </Can>
      }
      titleActions={
        <Button icon={<SettingOutlined />} onClick={() => setRuling(true)}>
          取样规则
        </Button>
      }
      strip={
        <FigureStrip
          loading={!counts}
          items={[figure('accept', 'warning'), figure('sample', 'warning'), figure('report', 'warning'), figure('banned', 'danger')]}
        />
      }
      left={
        <SidePanel
          title="材料类别"
          width={216}
          nodes={(data?.categories ?? []).map(({ code, name, count }) => ({ key: code, title: name, count }))}
          selected={list.filters.category}
          onSelect={(key) => list.setFilter('category', key)}
          all={{ title: '全部', count: data?.categories.reduce((sum, one) => sum + one.count, 0) }}
        />
      }
      above={
        unmatched && (
          <>
            <UnlinkedTickets projectCode={projectCode} onReceive={mayReceive ? (ticket) => setReceiving({ ticket }) : undefined} />
            <Notice tone="info">下列按重量计的批次还没有关联进场磅单：打开批次，用“关联磅单”补上。</Notice>
          </>
        )
      }
    >
      <DataTable
        list={list}
        columns={columns}
        unit="批"
        selection={
          mayReceive
            ? {
                unit: '批',
                disabled: (row) => row.step !== 'send',
                actions: (rows, clear) => <SendAll rows={rows} onDone={clear} />,
              }
            : undefined
        }
        search={{ key: 'batchNo', placeholder: '批号或样品编号，可扫码' }}
        toolbar={<Views view={unmatched ? 'unmatched' : ''} />}
        onRow={(row) => go(paths.detail, { id: row.id })}
        emptyHint="材料到场后在这里登记，监理验收后才能使用"
        filterWords={{
          step: { title: '待办', words: materialSteps },
          deviates: { title: '过磅偏差', words: { true: '超出允许偏差' } },
        }}
        actions={(row) => [{ label: '查看', href: hrefOf(paths.detail, { id: row.id }) }]}
      />
      {receiving && <ReceiveDrawer projectCode={projectCode} ticket={receiving.ticket} onClose={() => setReceiving(undefined)} />}
      {ruling && <RulesDrawer projectCode={projectCode} onClose={() => setRuling(false)} />}
    </ListShell>
  )
}

/** Sends the samples of several batches to one laboratory. */
function SendAll({ rows, onDone }: { rows: readonly MaterialRow[]; onDone: () => void }) {
  const each = useEach('批', onDone)
  const send = async () => {
    const labOrg = await askReason('批量送检', '检测机构')
    if (!labOrg) return
    await each.run(rows, materialMoves.send.label, ({ id, projectCode, version }: MaterialRow) =>
      call(changeMaterial, { params: { id }, query: { projectCode }, body: { version, action: 'send', labOrg, note: '' } }),
    )
  }
  return (
    <Button loading={each.running} onClick={() => void send()}>
      批量送检
    </Button>
  )
}

function useColumns(suppliers: readonly string[]): ColumnOf<typeof materialList>[] {
  const dicts = useDicts('materialCategory', 'materialUnit')
  const states = Object.entries(materialStates).map(([value, label]) => ({ value, label }))
  return [
    { key: 'name', width: 150, locked: true, filter: 'text', sort: true, value: (r) => r.name },
    { key: 'spec', width: 140, filter: 'text', value: (r) => r.spec },
    { key: 'category', width: 104, sort: true, filter: 'multi', options: dicts.options('materialCategory'), value: (r) => r.categoryName },
    { key: 'batchNo', width: 140, filter: 'text', value: (r) => r.batchNo },
    {
      key: 'supplier',
      width: 160,
      weak: true,
      filter: 'multi',
      options: suppliers.map((value) => ({ value, label: value })),
      value: (r) => r.supplier,
    },
    {
      key: 'quantity',
      width: 112,
      align: 'right',
      sort: true,
      filter: 'numeric-range',
      value: (r) => `${thousands(r.quantity)} ${r.unitName}`,
    },
    {
      key: 'arriveTime',
      width: 136,
      sort: true,
      filter: 'date-range',
      value: (r) => <span className="zg-num">{r.arriveTime.slice(0, 16)}</span>,
    },
    {
      key: 'needRetest',
      width: 88,
      weak: true,
      filter: 'single',
      options: [
        { value: 'true', label: '需复验' },
        { value: 'false', label: '不需复验' },
      ],
      value: (r) => (r.needRetest ? '是' : '否'),
    },
    { key: 'samplesTaken', width: 88, value: (r) => <SampleCount row={r} /> },
    {
      key: 'retestResult',
      width: 104,
      filter: 'multi',
      options: [
        { value: '1', label: '合格' },
        { value: '2', label: '不合格' },
        { value: '4', label: '未出报告' },
      ],
      value: (r) => <RetestTag row={r} />,
    },
    { key: 'deviation', width: 100, align: 'right', sort: true, value: (r) => <Deviation row={r} /> },
    {
      key: 'ageDays',
      width: 96,
      align: 'right',
      sort: true,
      filter: 'numeric-range',
      value: (r) => (r.ageDays === null ? null : <span className={r.ageDays > longWait ? 'tone-danger' : undefined}>{r.ageDays} 天</span>),
    },
    { key: 'state', width: 104, keeps: true, filter: 'multi', options: states, value: (r) => <StateTag row={r} /> },
  ]
}
/** Days after which waiting is shown in red. */
const longWait = 7
