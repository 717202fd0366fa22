import { graveAiTypes } from '@zhugong/contract/monitoring/video/ai-codes'
import { type AiEvent, aiEventList, aiReasons, aiVerdicts, findAiEvents, reviewAiEvent } from '@zhugong/contract/monitoring/video/ai-events'
import { Button, Segmented } from 'antd'
import { useState } from 'react'
import { type CallState, useAct, useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { Empty, Known, Notice, RiskBadge } from '#kit/feedback.tsx'
import { thousands, time } from '#kit/format.ts'
import { queryOf, useListPage } from '#kit/list.ts'
import { hrefOf, useGo, usePageQuery } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { FamilyRecord } from '../family-record.tsx'
import { useFamilyScope } from '../family-scope.tsx'
import { AiPicture, confidenceWords, ReviewTag, reviewOptions, typeName, typeOptions } from './ai-words.tsx'
import './video.css'

/** Which events were recognised, are they true, and what was done about them? */
export default function AiListPage() {
  const scope = useFamilyScope({ family: 'videoAi', usual: '30' })
  const gallery = (usePageQuery().get('by') ?? 'gallery') === 'gallery'
  const go = useGo()
  const list = useListPage(aiEventList, { scope: scope.query, own: scope.own, defaultSort: 'review', defaultSize: 30 })
  const all = useCall(findAiEvents, { query: { ...scope.query, size: 1 } }, { quiet: true, keepPrevious: true })
  const counts = all.data?.counts
  const judged = counts ? counts.real + counts.wrong : 0
  const [picked, setPicked] = useState<readonly AiEvent[]>([])
  const columns: ColumnOf<typeof aiEventList>[] = [
    { key: 'picture', width: 92, value: (r) => <AiPicture event={r} /> },
    { key: 'type', width: 124, locked: true, filter: 'multi', options: typeOptions, value: (r) => typeName(r.type) },
    ...(scope.projectCode === '*' ? [{ key: 'projectName' as const, width: 176, value: (r: AiEvent) => r.projectName }] : []),
    { key: 'deviceName', width: 150, filter: 'text', value: (r) => r.deviceName },
    { key: 'area', width: 120, weak: true, value: (r) => r.area },
    { key: 'time', width: 152, sort: true, value: (r) => time(r.time) },
    { key: 'confidence', width: 92, align: 'right', sort: true, filter: 'numeric-range', value: (r) => confidenceWords(r.confidence) },
    { key: 'count', width: 64, align: 'right', value: (r) => r.count },
    { key: 'review', width: 96, sort: true, filter: 'multi', options: reviewOptions, value: (r) => <ReviewTag review={r.review} /> },
    { key: 'reviewer', width: 84, value: (r) => r.reviewer },
    { key: 'reason', width: 92, hidden: true, value: (r) => r.reason },
    { key: 'level', width: 84, value: (r) => (r.level === null ? null : <RiskBadge level={r.level} />) },
  ]
  const open = (row: AiEvent) => go('/AI/detail', { id: row.id })
  return (
    <FamilyRecord
      scope={scope}
      unit="摄像机"
      periods={['1', '7', '30']}
      loading={!all.data}
      figures={[
        { label: '今日', value: thousands(counts?.today), unit: '条' },
        { label: '未复核', value: thousands(counts?.open), unit: '条', remark: scope.words, tone: counts?.open ? 'warning' : undefined },
        { label: '属实', value: thousands(counts?.real), unit: '条' },
        {
          label: '误报率',
          value: judged === 0 ? '--' : (((counts?.wrong ?? 0) / judged) * 100).toFixed(0),
          unit: '%',
          remark: '误报 ÷ 已复核',
        },
      ]}
      titleActions={
        <Segmented
          aria-label="图库或表格"
          value={gallery ? 'gallery' : 'table'}
          options={[
            { value: 'gallery', label: '图库' },
            { value: 'table', label: '表格' },
          ]}
          onChange={(value) => {
            setPicked([])
            scope.put({ by: value === 'table' ? 'table' : undefined })
          }}
        />
      }
      above={
        gallery && (
          <Gallery
            rows={list.rows}
            requested={queryOf(list)}
            picked={picked}
            onPick={setPicked}
            onOpen={open}
            onDone={() => setPicked([])}
          />
        )
      }
    >
      {/* Not rendered before the pictures above, which would push it down. */}
      {!(gallery && list.loading) && (
        <DataTable
          list={list}
          columns={gallery ? columns.filter((one) => one.key !== 'picture') : columns}
          rowKey="id"
          unit="条"
          onRow={open}
          emptyHint="这段时间没有识别记录"
          actions={(row) => [{ label: '详情', href: hrefOf('/AI/detail', { id: row.id }) }]}
        />
      )}
    </FamilyRecord>
  )
}

interface GalleryProps {
  rows: readonly AiEvent[]
  requested: CallState
  picked: readonly AiEvent[]
  onPick: (rows: readonly AiEvent[]) => void
  onOpen: (row: AiEvent) => void
  onDone: () => void
}

/** The rows as pictures; events of one type can be reviewed together, fire and falls only one by one. */
function Gallery({ rows, requested, picked, onPick, onOpen, onDone }: GalleryProps) {
  const may = useCan(reviewAiEvent)
  const act = useAct(reviewAiEvent, { success: false })
  const [busy, setBusy] = useState(false)
  const types = new Set(picked.map((one) => one.type))
  const grave = picked.some((one) => graveAiTypes.includes(one.type))
  const why = types.size > 1 ? '一次只能复核同一类型' : grave ? '明火、烟雾与人员倒地请逐条复核' : undefined
  const judge = async (review: '1' | '2') => {
    setBusy(true)
    try {
      for (const one of picked)
        await act.run({
          params: { id: one.id },
          query: { projectCode: one.projectCode },
          body: { review, reason: review === aiVerdicts.wrong ? aiReasons[3] : null, version: one.version },
        })
    } finally {
      setBusy(false)
      onDone()
    }
  }
  const toggle = (row: AiEvent) =>
    onPick(picked.some((one) => one.id === row.id) ? picked.filter((one) => one.id !== row.id) : [...picked, row])
  if (rows.length === 0)
    return (
      <Known of={requested}>
        <Empty small text="这一页没有识别记录" hint="换个时段、类型或复核状态" />
      </Known>
    )
  return (
    <>
      {picked.length > 0 && (
        <Notice
          tone={why ? 'warning' : 'info'}
          actions={
            <>
              <Button size="small" disabled={why !== undefined} loading={busy} onClick={() => void judge(aiVerdicts.real)}>
                {picked.length} 条属实
              </Button>
              <Button size="small" disabled={why !== undefined} loading={busy} onClick={() => void judge(aiVerdicts.wrong)}>
                {picked.length} 条误报
              </Button>
              <Button size="small" type="text" onClick={onDone}>
                取消
              </Button>
            </>
          }
        >
          已选 {picked.length} 条{why ? `：${why}` : `${typeName([...types][0] ?? '')}，误报按“其他”登记`}
        </Notice>
      )}
      <ul className="vid-gallery">
        {rows.map((row) => (
          <li key={row.id} data-picked={picked.some((one) => one.id === row.id)}>
            <button
              type="button"
              className="zg-bare"
              onClick={() => onOpen(row)}
              title={`${typeName(row.type)} ${row.deviceName} ${time(row.time)}`}
            >
              <AiPicture event={row} />
            </button>
            <div>
              <strong>{typeName(row.type)}</strong> <ReviewTag review={row.review} />
              <span className="zg-2">
                {row.deviceName}　{time(row.time).slice(5, 16)}　{confidenceWords(row.confidence)}
              </span>
            </div>
            {may && row.review === aiVerdicts.open && (
              <label>
                <input type="checkbox" checked={picked.some((one) => one.id === row.id)} onChange={() => toggle(row)} /> 选择
              </label>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}
