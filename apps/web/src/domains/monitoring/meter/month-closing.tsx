import {
  draftSheet,
  listSettledMonths,
  type MeterKind,
  meterKindNames,
  meterUnits,
  settleMonth,
} from '@zhugong/contract/monitoring/meter/meter-settle'
import { Button } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { Card, Empty, ErrorPanel, Notice, TableSkeleton } from '#kit/feedback.tsx'
import { day, thousands, time } from '#kit/format.ts'
import { MonthInput } from '#kit/inputs.tsx'
import { useNow } from '#kit/live.ts'
import { PageDrawer } from '#kit/overlay.tsx'
import { MeterPrices } from './meter-prices.tsx'
import { nextToSettle, suspectLossPercent } from './meter-state.ts'
import { SettledSheet } from './settled-sheet.tsx'
import { SheetTable } from './sheet-table.tsx'

/** More months than a site lasts. */
const mostMonths = 100
const shown = 6

/** Settled months of a site, and the next one. */
export function MonthClosing({ projectCode, kind }: { projectCode: string; kind: MeterKind }) {
  const list = useCall(listSettledMonths, { query: { projectCode, kind, size: mostMonths } }, { quiet: true })
  const [open, setOpen] = useState<'prices' | 'draft' | { id: string }>()
  const [all, setAll] = useState(false)
  const months = list.data?.list ?? []
  const unit = meterUnits[kind]
  const close = () => setOpen(undefined)
  return (
    <Card
      title="月结"
      remark={months[0] ? `${months[0].month} 及以前已锁定，迟到的读数计入下月` : '月结后读数不再改变，迟到的读数计入下月'}
      actions={
        <>
          <Button onClick={() => setOpen('prices')}>单价</Button>
          <Can call={settleMonth}>
            <Button type="primary" onClick={() => setOpen('draft')}>
              月结
            </Button>
          </Can>
        </>
      }
      flush
    >
      {list.isPending ? (
        <TableSkeleton rows={2} columns={6} />
      ) : list.error && !list.data ? (
        <ErrorPanel error={list.error} retry={list.refetch} />
      ) : months.length === 0 ? (
        <Empty small text="还没有月结过" hint="先核对结算单再月结；设置单价后同时算出金额" />
      ) : (
        <table className="fam-table">
          <thead>
            <tr>
              <th scope="col">月份</th>
              <th scope="col">总用量（{unit}）</th>
              <th scope="col">总表减分表</th>
              <th scope="col">金额（元）</th>
              <th scope="col" className="word">
                签认
              </th>
              <th scope="col" className="word">
                月结
              </th>
              <th scope="col" className="word">
                操作
              </th>
            </tr>
          </thead>
          <tbody>
            {months.slice(0, all ? mostMonths : shown).map((one) => (
              <tr key={one.id}>
                <td>{one.month}</td>
                <td>{thousands(one.totalUsage, 1)}</td>
                <td className={one.lossPercent !== null && Math.abs(one.lossPercent) > suspectLossPercent ? 'tone-danger' : ''}>
                  {one.lossPercent === null ? '--' : `${one.lossPercent.toFixed(1)} %`}
                </td>
                <td>{one.amount === null ? '未设单价' : thousands(one.amount, 2)}</td>
                <td className="word">
                  {one.signedCorps} / {one.corps} 家
                </td>
                <td className="word zg-2">
                  {time(one.closeTime)} {one.closeBy}
                </td>
                <td className="word">
                  <button type="button" className="zg-bare zg-link" onClick={() => setOpen({ id: one.id })}>
                    结算单
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {months.length > shown && !all && (
        <div className="zg-card-body">
          <button type="button" className="zg-bare zg-link" onClick={() => setAll(true)}>
            更早的 {months.length - shown} 个月
          </button>
        </div>
      )}
      {open === 'prices' && <MeterPrices projectCode={projectCode} kind={kind} onClose={close} />}
      {open === 'draft' && <Draft projectCode={projectCode} kind={kind} last={months[0]?.month} onClose={close} />}
      {typeof open === 'object' && <SettledSheet id={open.id} onClose={close} />}
    </Card>
  )
}

interface DraftProps {
  projectCode: string
  kind: MeterKind
  last: string | undefined
  onClose: () => void
}

/** Preview of a settlement. */
function Draft({ projectCode, kind, last, onClose }: DraftProps) {
  const now = useNow(60_000)
  const [month, setMonth] = useState(() => nextToSettle(last, day(now).slice(0, 7)))
  const draft = useCall(draftSheet, { query: { projectCode, kind, month } }, { quiet: true, staleMs: 0 })
  const act = useAct(settleMonth, { success: `${month} 已月结`, refreshes: [listSettledMonths, draftSheet], onDone: onClose })
  const sheet = draft.data
  const unit = meterUnits[kind]
  const estimated = sheet?.rows.filter((one) => one.estimatedShare > 0).length ?? 0
  const settle = () =>
    sheet &&
    void act.afterRequesting(
      {
        thing: `月结${meterKindNames[kind]} ${month}，共 ${thousands(sheet.totalUsage, 1)} ${unit}`,
        consequence: '月结后这个月的读数、用量与金额不再改变，不能撤销；之后到达的读数计入下月。',
        verb: '月结',
        keep: '再核对',
      },
      { query: { projectCode }, body: { kind, month, totalUsage: sheet.totalUsage } },
    )
  return (
    <PageDrawer
      open
      size={1000}
      title={`月结${meterKindNames[kind]}`}
      onClose={onClose}
      extra={
        <div className="fam-acts">
          <MonthInput value={month} onChange={(value) => value && setMonth(value)} aria-label="月份" />
          <Button type="primary" disabled={!sheet || sheet.hindrance !== null} loading={act.running} onClick={settle}>
            月结
          </Button>
        </div>
      }
    >
      {draft.isPending && <TableSkeleton rows={6} columns={8} />}
      {draft.error && !sheet && <ErrorPanel error={draft.error} retry={draft.refetch} />}
      {sheet && (
        <>
          {sheet.hindrance && <Notice tone="warning">{sheet.hindrance}</Notice>}
          {!sheet.price && sheet.rows.length > 0 && <Notice tone="warning">这个月没有单价，结算单只有用量；金额须先在“单价”中设置</Notice>}
          {sheet.lossPercent !== null && Math.abs(sheet.lossPercent) > suspectLossPercent && (
            <Notice tone="danger">
              总表减分表 {sheet.lossPercent.toFixed(1)} %，超过 {suspectLossPercent} %：请查有无未装表或私接
            </Notice>
          )}
          {estimated > 0 && <Notice tone="warning">{estimated} 块表有缺失的读数，缺失部分按前后读数平均估算</Notice>}
          {sheet.rows.length > 0 ? <SheetTable sheet={sheet} /> : <Empty small text="这个月没有读数" />}
        </>
      )}
    </PageDrawer>
  )
}
