import { pileKindOf, pileTypeName } from '@zhugong/contract/monitoring/pile/pile-kinds'
import { assignPileRun } from '@zhugong/contract/monitoring/pile/pile-register'
import { pileVerdictNames } from '@zhugong/contract/monitoring/pile/pile-verdict'
import { findPiles, leanLimit, type PileRow, pileLine, pileList, pileOf, pileResultNames } from '@zhugong/contract/monitoring/pile/piles'
import { Segmented } from 'antd'
import { type ReactNode, useMemo, useState } from 'react'
import { useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { Card, Empty, Known, Pairs, Tag } from '#kit/feedback.tsx'
import { measure, span, thousands, time } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { useGo, usePageQuery } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { FamilyRecord, RecordCurve, RecordPanel, recordId, useRecord } from '../family-record.tsx'
import { type FamilyScope, useFamilyScope } from '../family-scope.tsx'
import '../monitoring.css'
import { replayText } from '../replay.ts'
import { AssignRun } from './assign-run.tsx'
import { LoadTests } from './load-tests.tsx'
import './pile.css'
import { ownPairs } from './own-pairs.ts'
import { PileRegister } from './pile-register.tsx'
import { curvesOf } from './pile-state.ts'
import { RunProfile } from './run-profile.tsx'

const tones: Readonly<Record<string, 'fine' | 'warning' | 'danger'>> = { '1': 'fine', '2': 'warning', '0': 'danger' }
const resultOptions = Object.entries(pileResultNames).map(([value, label]) => ({ value, label }))
/** Most piles drawn at once. */
const drawnPiles = 200

/** How many piles are done, which are doubtful, and do the records prove it? */
export default function PileListPage() {
  const scope = useFamilyScope({ family: 'pileFoundation', usual: '30' })
  const by = usePageQuery().get('by')
  const turn = (
    <Segmented
      aria-label="桩清单、成桩记录或静载"
      value={by === 'record' || by === 'load' ? by : 'register'}
      options={[
        { value: 'register', label: '桩清单' },
        { value: 'record', label: '成桩记录' },
        { value: 'load', label: '静载' },
      ]}
      onChange={(value) => scope.put({ by: value === 'register' ? undefined : value, record: undefined })}
    />
  )
  if (by === 'record') return <PileRecords scope={scope} turn={turn} />
  return by === 'load' ? <LoadTests scope={scope} turn={turn} /> : <PileRegister scope={scope} turn={turn} />
}

/** Records of the rigs. */
function PileRecords({ scope, turn }: { scope: FamilyScope; turn: ReactNode }) {
  const go = useGo()
  const list = useListPage(pileList, { scope: scope.query, own: scope.own, defaultSort: '-startTime' })
  const { record, open, close } = useRecord(scope, list.rows, recordId)
  const field = useCall(findPiles, { query: { ...scope.query, size: drawnPiles } }, { quiet: true, keepPrevious: true })
  const counts = field.data?.counts
  const watch = (row: PileRow) => {
    const pile = pileOf(row)
    go('/equipment/mechanicsMonitor/index', {
      deviceId: row.deviceId,
      replay: replayText({ from: pile.startTime ?? pile.endTime - 3_600_000, to: pile.endTime }),
    })
  }
  const columns: ColumnOf<typeof pileList>[] = [
    ...(scope.projectCode === '*' ? [{ key: 'projectName' as const, width: 168, value: (r: PileRow) => r.projectName }] : []),
    { key: 'pileNo', width: 108, locked: true, filter: 'text', value: (r) => r.registerNo ?? pileOf(r).pileNo ?? '未指定桩号' },
    { key: 'pileType', width: 112, value: (r) => pileTypeName(r.pileType) },
    { key: 'deviceName', width: 96, filter: 'text', value: (r) => r.deviceName },
    { key: 'startTime', width: 140, sort: true, value: (r) => time(pileOf(r).startTime).slice(5, 16) },
    { key: 'endTime', width: 140, hidden: true, value: (r) => time(pileOf(r).endTime).slice(5, 16) },
    {
      key: 'finalDepth',
      width: 120,
      align: 'right',
      sort: true,
      filter: 'numeric-range',
      value: (r) => {
        const { finalDepth } = pileOf(r)
        const short = finalDepth !== null && r.designDepth !== null && finalDepth < r.designDepth
        return <span className={short ? 'tone-danger' : ''}>{measure(finalDepth)}</span>
      },
    },
    { key: 'designDepth', width: 116, align: 'right', weak: true, value: (r) => measure(r.designDepth) },
    {
      key: 'maxVerticality',
      width: 148,
      align: 'right',
      sort: true,
      filter: 'numeric-range',
      value: (r) => {
        const { maxVerticality } = pileOf(r)
        return <span className={(maxVerticality ?? 0) > leanLimit ? 'tone-danger' : ''}>{measure(maxVerticality)}</span>
      },
    },
    { key: 'groutTotal', width: 100, align: 'right', value: (r) => thousands(pileOf(r).groutTotal) },
    {
      key: 'groutPercent',
      width: 132,
      align: 'right',
      hidden: true,
      filter: 'numeric-range',
      value: (r) => measure(pileOf(r).groutPercent, 1),
    },
    { key: 'operator', width: 84, hidden: true, value: (r) => r.operator },
    { key: 'finalPressure', width: 104, align: 'right', hidden: true, value: (r) => measure(pileOf(r).finalPressure, 0) },
    { key: 'finalPenetration', width: 124, align: 'right', hidden: true, value: (r) => measure(pileOf(r).finalPenetration, 1) },
    { key: 'alarmCount', width: 72, align: 'right', value: (r) => r.alarmCount },
    {
      key: 'result',
      width: 92,
      filter: 'multi',
      options: resultOptions,
      value: (r) => {
        const { result } = pileOf(r)
        return <Tag tone={tones[result] ?? 'warning'}>{pileResultNames[result] ?? result}</Tag>
      },
    },
    {
      key: 'verdict',
      width: 84,
      value: (r) => (r.verdict === null ? null : <Tag tone={tones[r.verdict] ?? 'warning'}>{pileVerdictNames[r.verdict]}</Tag>),
    },
    { key: 'doubt', width: 168, value: (r) => <span className="tone-warning">{pileOf(r).doubts.join('，')}</span> },
  ]
  return (
    <FamilyRecord
      scope={scope}
      unit="桩机"
      titleActions={turn}
      periods={['7', '30', '90']}
      loading={!field.data}
      figures={[
        { label: '已成桩', value: thousands(counts?.piles), unit: '根', remark: scope.words },
        { label: '今日', value: counts?.today, unit: '根' },
        { label: '待定', value: counts?.pending, unit: '根', remark: '由监理判定', tone: counts?.pending ? 'warning' : undefined },
        { label: '不合格', value: counts?.failed, unit: '根', tone: counts?.failed ? 'danger' : undefined },
      ]}
      above={
        <Card
          title="成桩剖面"
          remark={`近 ${Math.min(drawnPiles, field.data?.total ?? 0)} 根，从旧到新；长为终孔深度，虚线为设计桩长`}
          actions={
            <span className="pile-legend">
              <span>绿 合格</span>
              <span>橙 待定</span>
              <span>红 不合格</span>
            </span>
          }
        >
          {(field.data?.list.length ?? 0) === 0 ? (
            <Known of={field}>
              <Empty small text="这段时间没有成桩" hint="桩机完成一根桩后，这里多一根" />
            </Known>
          ) : (
            <Field rows={field.data?.list ?? []} chosen={record && recordId(record)} onPick={open} />
          )}
        </Card>
      }
      detail={record && <PileDetail key={recordId(record)} row={record} onClose={close} onWatch={() => watch(record)} />}
    >
      <DataTable
        list={list}
        columns={columns}
        rowKey={recordId}
        unit="根"
        onRow={open}
        rowClass={(row) => (record && recordId(row) === recordId(record) ? 'ant-table-row-selected' : '')}
        emptyHint="这段时间没有成桩，或桩机没有上报"
        actions={(row) => [{ label: '回放', onClick: () => watch(row) }]}
      />
    </FamilyRecord>
  )
}

const fieldPx = 130

/** Piles side by side, drawn to depth. */
function Field({ rows, chosen, onPick }: { rows: readonly PileRow[]; chosen: string | undefined; onPick: (row: PileRow) => void }) {
  const deepest = Math.max(1, ...rows.flatMap((row) => [pileOf(row).finalDepth ?? 0, row.designDepth ?? 0])) * 1.03
  const k = fieldPx / deepest
  return (
    <div className="pile-field">
      {[...rows].reverse().map((row) => {
        const pile = pileOf(row)
        const words = `${pile.pileNo ?? '未指定桩号'}，${measure(pile.finalDepth)} m，${pileResultNames[pile.result] ?? ''}${pile.doubts.length > 0 ? `，${pile.doubts.join('，')}` : ''}`
        return (
          <button
            key={recordId(row)}
            type="button"
            className="zg-bare"
            title={words}
            aria-label={words}
            aria-pressed={recordId(row) === chosen}
            onClick={() => onPick(row)}
          >
            <svg width={13} height={fieldPx} aria-hidden="true">
              <rect x={2} y={0} width={9} height={(pile.finalDepth ?? 0) * k} className="body" data-result={pile.result} />
              {row.designDepth !== null && <line x1={0} x2={13} y1={row.designDepth * k} y2={row.designDepth * k} className="line" />}
            </svg>
          </button>
        )
      })}
    </div>
  )
}

function PileDetail({ row, onClose, onWatch }: { row: PileRow; onClose: () => void; onWatch: () => void }) {
  const pile = pileOf(row)
  const [assigning, setAssigning] = useState(false)
  const kind = pileKindOf(row.pileType)
  const [curve] = curvesOf[kind]
  const from = pile.startTime ?? pile.endTime - 3_600_000
  const whole = useMemo(() => ({ from, to: pile.endTime }), [from, pile.endTime])
  return (
    <RecordPanel
      title={pile.pileNo ?? '未指定桩号'}
      remark={pile.doubts.length > 0 ? `疑点：${pile.doubts.join('，')}` : '没有疑点'}
      onClose={onClose}
    >
      <Pairs
        items={[
          { label: '桩机', value: row.deviceName },
          { label: '桩清单', value: row.registerNo ?? '未归入' },
          { label: '判定', value: row.verdict === null ? '尚未判定' : pileVerdictNames[row.verdict] },
          { label: '桩机结论', value: pileResultNames[pile.result] ?? pile.result },
          { label: '终孔深度', value: `${measure(pile.finalDepth)} / ${measure(row.designDepth)} m` },
          { label: '垂直度', value: `${measure(pile.maxVerticality)} %` },
          ...ownPairs({ ...pile, designPressure: row.designPressure }),
          { label: '用时', value: pile.startTime === null ? null : span(pile.endTime - pile.startTime) },
        ]}
      />
      <RunProfile
        run={{
          deviceId: row.deviceId,
          name: pile.pileNo ?? '',
          from,
          to: pile.endTime,
          finalDepth: pile.finalDepth,
          maxVerticality: pile.maxVerticality,
        }}
        kind={kind}
        designDepth={row.designDepth}
        designGrout={row.designGrout}
        designPressure={row.designPressure}
      />
      <h3>深度与{curve.label}</h3>
      <RecordCurve
        call={pileLine}
        deviceId={row.deviceId}
        span={whole}
        metrics={[
          { key: 'depth', label: '深度', unit: 'm' },
          { key: curve.metric, label: curve.label, unit: curve.unit },
        ]}
        limits={[]}
      />
      <p className="pile-acts">
        <button type="button" className="zg-bare zg-link" onClick={onWatch}>
          回放这一根
        </button>
        <Can call={assignPileRun} at={{ projectCode: row.projectCode }}>
          <button type="button" className="zg-bare zg-link" onClick={() => setAssigning(true)}>
            {row.pileId === null ? '归入桩清单' : '改归另一根桩'}
          </button>
        </Can>
      </p>
      {assigning && <AssignRun row={row} onClose={() => setAssigning(false)} />}
    </RecordPanel>
  )
}
