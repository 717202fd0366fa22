import { ImportOutlined } from '@ant-design/icons'
import { pileKinds } from '@zhugong/contract/monitoring/pile/pile-kinds'
import {
  createPile,
  importPiles,
  listPiles,
  type PileEntry,
  type PileState,
  pileRegisterList,
  pileStates,
  removePile,
  updatePile,
} from '@zhugong/contract/monitoring/pile/pile-register'
import { Button } from 'antd'
import { type ReactNode, useMemo, useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { Card, Empty, type FigureProps, FigureStrip, Known, Tag, type Tone } from '#kit/feedback.tsx'
import { day, measure, ratioOf, thousands, time } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { useRecord } from '../family-record.tsx'
import type { FamilyScope } from '../family-scope.tsx'
import './pile.css'
import { PileCard } from './pile-card.tsx'
import { PileForm } from './pile-forms.tsx'
import { PileImport } from './pile-import.tsx'
import { isPlaced, PilePlan } from './pile-plan.tsx'

const tones: Readonly<Record<PileState, Tone>> = {
  planned: 'neutral',
  late: 'warning',
  making: 'running',
  made: 'running',
  passed: 'fine',
  doubtful: 'warning',
  failed: 'danger',
}
const optionsOf = (names: Readonly<Record<string, string>>) => Object.entries(names).map(([value, label]) => ({ value, label }))
/** Most piles drawn at once. */
const drawnPiles = 600

export const PileStateTag = ({ state }: { state: PileState }) => <Tag tone={tones[state]}>{pileStates[state]}</Tag>

/** Piles to build on a site: how many are done, await a decision, or are late. */
export function PileRegister({ scope, turn }: { scope: FamilyScope; turn: ReactNode }) {
  const { projectCode } = scope
  const list = useListPage(pileRegisterList, { scope: { projectCode }, own: scope.own, defaultSort: 'pileNo' })
  const field = useCall(listPiles, { query: { projectCode, size: drawnPiles, sort: 'pileNo' } }, { quiet: true, keepPrevious: true })
  // The selected pile may be on another page of the table.
  const known = useMemo(() => [...list.rows, ...(field.data?.list ?? [])], [list.rows, field.data])
  const { record, open, close } = useRecord(scope, known, (row) => row.id)
  const [edited, setEdited] = useState<PileEntry | 'new'>()
  const [importing, setImporting] = useState(false)
  const remove = useAct(removePile, { success: '桩已删除', refreshes: [listPiles] })
  const counts = field.data?.counts
  const isOne = projectCode !== '*'
  const placed = isPlaced(field.data?.list ?? [])
  const figures: FigureProps[] = [
    {
      label: '已成桩 / 总数',
      value: `${thousands(counts?.made)} / ${thousands(counts?.total)}`,
      unit: '根',
      remark: counts ? `完成 ${ratioOf(counts.made, counts.total)}` : undefined,
    },
    { label: '合格', value: counts?.passed, unit: '根' },
    {
      label: '待判定',
      value: counts?.undecided,
      unit: '根',
      remark: '已成桩，监理尚未判定',
      tone: counts?.undecided ? 'warning' : undefined,
    },
    { label: '存疑', value: counts?.doubtful, unit: '根', tone: counts?.doubtful ? 'warning' : undefined },
    { label: '不合格', value: counts?.failed, unit: '根', tone: counts?.failed ? 'danger' : undefined },
    { label: '逾期未施工', value: counts?.late, unit: '根', tone: counts?.late ? 'warning' : undefined },
    { label: '已检测', value: counts?.tested, unit: '根', remark: '低应变或静载' },
  ]
  const columns: ColumnOf<typeof pileRegisterList>[] = [
    ...(isOne ? [] : [{ key: 'projectName' as const, width: 168, value: (r: PileEntry) => r.projectName }]),
    { key: 'pileNo', width: 104, locked: true, sort: true, filter: 'text', value: (r) => r.pileNo },
    { key: 'kind', width: 112, filter: 'multi', options: optionsOf(pileKinds), value: (r) => pileKinds[r.kind] },
    { key: 'axis', width: 104, filter: 'text', value: (r) => r.axis },
    { key: 'diameter', width: 96, align: 'right', hidden: true, value: (r) => r.diameter },
    { key: 'designLength', width: 124, align: 'right', sort: true, filter: 'numeric-range', value: (r) => measure(r.designLength) },
    { key: 'designDepth', width: 120, align: 'right', hidden: true, value: (r) => measure(r.designDepth) },
    { key: 'concrete', width: 84, hidden: true, value: (r) => r.concrete },
    { key: 'x', width: 104, align: 'right', hidden: true, value: (r) => measure(r.x) },
    { key: 'y', width: 104, align: 'right', hidden: true, value: (r) => measure(r.y) },
    { key: 'plannedOn', width: 116, sort: true, filter: 'date-range', value: (r) => r.plannedOn },
    {
      key: 'madeAt',
      width: 140,
      sort: true,
      value: (r) => (r.madeAt === null ? null : r.runs > 0 ? time(r.madeAt).slice(5, 16) : `${day(r.madeAt)} 手填`),
    },
    { key: 'finalDepth', width: 120, align: 'right', value: (r) => measure(r.finalDepth) },
    { key: 'maxVerticality', width: 132, align: 'right', hidden: true, value: (r) => measure(r.maxVerticality) },
    { key: 'runs', width: 84, align: 'right', value: (r) => r.runs },
    { key: 'tests', width: 68, align: 'right', value: (r) => r.tests },
    { key: 'state', width: 116, filter: 'multi', options: optionsOf(pileStates), value: (r) => <PileStateTag state={r.state} /> },
  ]
  const hint = isOne ? undefined : '桩清单按项目登记，请先选择项目'
  return (
    <>
      <ListShell
        strip={<FigureStrip items={figures} loading={!field.data} />}
        titleActions={turn}
        actions={
          <>
            <Can call={createPile}>
              <Button type="primary" disabled={!isOne} title={hint} onClick={() => setEdited('new')}>
                登记桩
              </Button>
            </Can>
            <Can call={importPiles}>
              <Button icon={<ImportOutlined />} disabled={!isOne} title={hint} onClick={() => setImporting(true)}>
                导入桩清单
              </Button>
            </Can>
          </>
        }
        above={
          <Card
            title="桩位进度"
            remark={placed ? '按坐标绘制，外圈为今日成桩；点选查看' : '一格一根，按桩号排列，外圈为今日成桩'}
            actions={<Legend />}
          >
            {(field.data?.list.length ?? 0) === 0 ? (
              <Known of={field}>
                <Empty small text="还没有桩清单" hint="导入设计桩表或逐根登记后，这里显示每根桩的状态" />
              </Known>
            ) : (
              <PilePlan rows={field.data?.list ?? []} chosen={record?.id} onPick={open} />
            )}
          </Card>
        }
        right={record && <PileCard key={record.id} pile={record} onClose={close} />}
      >
        <DataTable
          list={list}
          columns={columns}
          rowKey="id"
          unit="根"
          onRow={open}
          rowClass={(row) => (record?.id === row.id ? 'ant-table-row-selected' : '')}
          emptyHint="导入设计桩表，或点“登记桩”逐根登记"
          actions={(row) => [
            { label: '修改', needs: updatePile, onClick: () => setEdited(row) },
            row.runs === 0 &&
              row.tests === 0 &&
              row.verdict === null &&
              row.madeOn === null && {
                label: '删除',
                needs: removePile,
                danger: true,
                onClick: () =>
                  void remove.afterRequesting(
                    { thing: `删除桩 ${row.pileNo}`, consequence: '清单里不再有这根桩，总数减一。', verb: '删除桩', keep: '保留' },
                    { params: { id: row.id }, query: { projectCode: row.projectCode } },
                  ),
              },
          ]}
        />
      </ListShell>
      {edited && <PileForm pile={edited === 'new' ? undefined : edited} projectCode={projectCode} onClose={() => setEdited(undefined)} />}
      {importing && <PileImport projectCode={projectCode} onClose={() => setImporting(false)} />}
    </>
  )
}

const Legend = () => (
  <span className="pile-legend">
    {(Object.keys(pileStates) as PileState[]).map((state) => (
      <span key={state}>
        <i className="pile-dot" data-state={state} aria-hidden="true" /> {pileStates[state]}
      </span>
    ))}
  </span>
)
