import { PlusOutlined, PrinterOutlined } from '@ant-design/icons'
import { cellStates, columnKeys, paperColumns } from '@zhugong/contract/papers/catalogue'
import { createQualityPaper, type LotBranch, type LotRow, listQuality, type PaperCell, qualityList } from '@zhugong/contract/papers/quality'
import { Button, Segmented } from 'antd'
import { useState } from 'react'
import { useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { FigureStrip, Tag } from '#kit/feedback.tsx'
import { month, thousands } from '#kit/format.ts'
import { MonthInput } from '#kit/inputs.tsx'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { hrefOf, useGo, usePageQuery } from '#kit/page.tsx'
import type { SideNode } from '#kit/side-node.ts'
import { SidePanel } from '#kit/side-panel.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { usePrint } from '#kit/use-print.ts'
import { CellDrawer } from './cell-drawer.tsx'
import { type CellKey, cellTones, OneProject, paths } from './paper-words.tsx'
import { UploadPaper } from './quality-forms.tsx'
import './papers.css'

const views = [
  { value: '', label: '全部' },
  { value: 'missing', label: '只看缺' },
  { value: 'waiting', label: '待监理' },
  { value: 'late', label: '后补' },
] as const

/** Which part of the building lacks which acceptance paper? */
export default function QualityPage() {
  return (
    <OneProject why="质量资料按项目查看，最近使用的在前">
      {(projectCode) => <Matrix key={projectCode} projectCode={projectCode} />}
    </OneProject>
  )
}

/** `place.work.column` of the address. */
function cellOf(text: string | null): CellKey | undefined {
  const [placeId, work, column] = text?.split('.') ?? []
  const known = columnKeys.find((one) => one === column)
  return placeId && work && known ? { placeId, work, column: known } : undefined
}

function Matrix({ projectCode }: { projectCode: string }) {
  const list = useListPage(qualityList, {
    scope: { projectCode },
    tabs: ['unit', 'division', 'work', 'month', 'missing', 'waiting', 'late'],
    own: ['cell', 'project'],
    defaultSize: 50,
  })
  const { data } = useCall(listQuality, { query: { projectCode, size: 1 } }, { quiet: true })
  const address = usePageQuery()
  const project = address.get('project') ?? undefined
  const go = useGo()
  const opened = cellOf(address.get('cell'))
  const open = (cell: CellKey | undefined) => {
    const named = cell && `${cell.placeId}.${cell.work}.${cell.column}`
    go(paths.quality, { ...list.filters, project, cell: named }, { replace: true })
  }
  const [adding, setAdding] = useState(false)
  const print = usePrint('qualityDivision')
  const { unit, division } = list.filters
  const counts = data?.counts
  const view = views.find(({ value }) => value !== '' && list.filters[value])?.value ?? ''
  return (
    <ListShell
      titleActions={
        <Button
          icon={<PrinterOutlined />}
          disabled={!unit || !division}
          loading={print.running}
          onClick={() =>
            unit &&
            division &&
            void print.run({ body: { feature: 'qualityDivision', exportType: 'pdf', query: { projectCode, unit, division } } })
          }
        >
          {unit && division ? '打印本分部' : '打印分部（先在左侧选择）'}
        </Button>
      }
      actions={
        <Can call={createQualityPaper} at={{ projectCode }}>
          <Button type="primary" icon={<PlusOutlined />} onClick={() => setAdding(true)}>
            上传资料
          </Button>
        </Can>
      }
      left={<Tree tree={data?.tree ?? []} filters={list.filters} onChoose={list.setFilters} />}
      strip={
        <FigureStrip
          loading={!counts}
          items={[
            { label: '检验批', value: thousands(counts?.lots), unit: '批', href: hrefOf(paths.quality, { project }) },
            {
              label: '有缺项',
              value: thousands(counts?.missing),
              unit: '批',
              tone: counts?.missing ? 'danger' : undefined,
              href: hrefOf(paths.quality, { missing: 'true', project }),
            },
            {
              label: '待监理',
              value: thousands(counts?.waiting),
              unit: '批',
              tone: counts?.waiting ? 'warning' : undefined,
              href: hrefOf(paths.quality, { waiting: 'true', project }),
            },
            {
              label: '有后补',
              value: thousands(counts?.late),
              unit: '批',
              href: hrefOf(paths.quality, { late: 'true', project }),
            },
          ]}
        />
      }
    >
      <DataTable
        list={list}
        columns={useColumns(open)}
        unit="批"
        toolbar={
          <>
            <Segmented
              options={[...views]}
              value={view}
              onChange={(next) =>
                list.setFilters({
                  missing: next === 'missing' ? 'true' : undefined,
                  waiting: next === 'waiting' ? 'true' : undefined,
                  late: next === 'late' ? 'true' : undefined,
                })
              }
            />
            <span className="zg-w-132">
              <MonthInput
                value={list.filters.month ?? null}
                max={month(Date.now())}
                placeholder="月份"
                onChange={(next) => list.setFilter('month', next ?? undefined)}
              />
            </span>
          </>
        }
        search={{ key: 'placeName', placeholder: '检验批部位' }}
        emptyHint="工序验收、实测实量、质量检查和材料使用会自动归到所在部位，也可以上传资料"
      />
      {opened && <CellDrawer projectCode={projectCode} cell={opened} onClose={() => open(undefined)} />}
      {adding && <UploadPaper projectCode={projectCode} onClose={() => setAdding(false)} />}
    </ListShell>
  )
}

interface TreeProps {
  tree: readonly LotBranch[]
  filters: Readonly<Record<string, string>>
  onChoose: (filters: { unit: string | undefined; division: string | undefined; work: string | undefined }) => void
}

/** Unit, division and work, each with its gaps. */
function Tree({ tree, filters, onChoose }: TreeProps) {
  const gapsOf = (own: readonly LotBranch[]) => own.reduce((sum, one) => sum + one.gaps, 0)
  const split = (own: readonly LotBranch[], keyOf: (one: LotBranch) => string) => [...Map.groupBy(own, keyOf)]
  const nodes = split(tree, (one) => one.unit).map(
    ([unit, inUnit]): SideNode => ({
      key: unit,
      title: inUnit[0]?.unitName ?? unit,
      count: gapsOf(inUnit),
      children: split(inUnit, (one) => one.division).map(
        ([division, inDivision]): SideNode => ({
          key: `${unit}|${division}`,
          title: inDivision[0]?.divisionName ?? division,
          count: gapsOf(inDivision),
          children: inDivision.map((one) => ({ key: `${unit}|${division}|${one.work}`, title: one.workName, count: one.gaps })),
        }),
      ),
    }),
  )
  const { unit, division, work } = filters
  return (
    <SidePanel
      title="单位工程（缺项）"
      nodes={nodes}
      all={{ title: '全部', count: gapsOf(tree) }}
      selected={[unit, division, work].filter(Boolean).join('|') || undefined}
      onSelect={(key) => {
        const [chosen, part, of] = key?.split('|') ?? []
        onChoose({ unit: chosen, division: part, work: of })
      }}
    />
  )
}

function useColumns(onOpen: (cell: CellKey) => void): ColumnOf<typeof qualityList>[] {
  return [
    { key: 'unitName', width: 96, keeps: true, value: (r) => r.unitName },
    { key: 'divisionName', width: 96, keeps: true, value: (r) => r.divisionName },
    { key: 'itemName', width: 110, weak: true, value: (r) => r.itemName },
    { key: 'workName', width: 92, locked: true, value: (r) => r.workName },
    { key: 'placeName', width: 140, locked: true, filter: 'text', value: (r) => r.placeName },
    ...columnKeys.map((column, at) => ({
      key: column,
      width: 90,
      keeps: true as const,
      value: (row: LotRow) => <Cell row={row} cell={row.cells[at]} onOpen={onOpen} />,
    })),
    { key: 'gaps', width: 70, align: 'right', sort: true, value: (r) => (r.gaps > 0 ? <span className="tone-danger">{r.gaps}</span> : 0) },
  ]
}

function Cell({ row, cell, onOpen }: { row: LotRow; cell: PaperCell | undefined; onOpen: (cell: CellKey) => void }) {
  if (!cell) return null
  const name = `${row.workName} ${row.placeName} ${paperColumns[cell.column]}`
  const words = `${cellStates[cell.state]}${cell.count > 0 ? ` ${cell.count}` : ''}`
  return (
    <button
      type="button"
      className="zg-bare paper-cell"
      aria-label={`${name}：${words}`}
      onClick={() => onOpen({ placeId: row.placeId, work: row.work, column: cell.column })}
    >
      {cell.state === 'none' && cell.count === 0 ? (
        <span className="zg-2">不需</span>
      ) : (
        <Tag tone={cellTones[cell.state]}>
          {words}
          {cell.late > 0 && ' 后补'}
        </Tag>
      )}
    </button>
  )
}
