import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { deviationNames, weighTypeNames } from '@zhugong/contract/monitoring/weigh/weigh-codes'
import { correctTicket, getTicket, type scaleInfo } from '@zhugong/contract/monitoring/weigh/weighing'
import { Button } from 'antd'
import { Link } from 'react-router'
import { type CallState, useCall } from '#kit/call.ts'
import { useCan, withCode } from '#kit/can.tsx'
import { Empty, Known, Panel } from '#kit/feedback.tsx'
import { shortTime } from '#kit/format.ts'
import { hrefOf } from '#kit/page.tsx'
import { usePrint } from '#kit/use-print.ts'

type Ticket = NonNullable<OutputFor<typeof scaleInfo>['lastTicket']>

/** Ticket of the truck on the platform: its unfinished delivery, else the bridge's last ticket. */
export function RunningTicket({
  requested,
  waitingId,
  last,
  plateNo,
  tares,
}: {
  /** The query for the last ticket. */
  requested: CallState
  waitingId: string | null
  last: Ticket | null
  plateNo: string | undefined
  tares: readonly number[]
}) {
  const waiting = useCall(getTicket, { params: { id: waitingId ?? '' } }, { quiet: true, enabled: waitingId !== null })
  const running = waitingId !== null && waiting.data?.id === waitingId ? waiting.data : undefined
  const ticket = running ?? last
  const print = usePrint('weighSlip')
  const mayPrint = useCan('weighbridge.print')
  const mayEdit = useCan(withCode(correctTicket, 'weighbridge.edit'))
  const title = running ? '本车磅单' : '上一张磅单'
  if (!ticket)
    return (
      <Panel title="磅单">
        <Known of={requested}>
          <Empty small text="近 7 天没有磅单" hint={plateNo ? `${plateNo} 完成过磅后显示` : '车辆完成过磅后显示'} />
        </Known>
      </Panel>
    )
  const t = (n: number | null) => (n === null || n === 0 ? '未称' : `${n.toFixed(3)} t`)
  const rows: [string, React.ReactNode][] = [
    ['车牌', `${ticket.plateNo} ${weighTypeNames[ticket.weighType] ?? ''}`],
    ['供应商', ticket.supplier || <span className="yard-warn">未填</span>],
    ['货物', [ticket.material, ticket.spec].filter(Boolean).join(' ') || <span className="yard-warn">未填</span>],
    ['毛重', `${t(ticket.grossWeight)}　${shortTime(ticket.grossTime)}`],
    ['皮重', `${t(ticket.tareWeight)}　${shortTime(ticket.tareTime)}`],
    ['扣重', t(ticket.deductWeight || null).replace('未称', '无')],
    ['面单', ticket.billWeight === null ? '无面单' : t(ticket.billWeight)],
    ['实重', <b key="actual">{t(ticket.actualWeight)}</b>],
    [
      '偏差',
      ticket.deviationPercent === null ? (
        '--'
      ) : (
        <span
          key="deviation"
          className={ticket.deviationState === 'short' ? 'yard-grave' : ticket.deviationState === 'over' ? 'yard-warn' : ''}
        >
          {ticket.deviationPercent.toFixed(2)} % {deviationNames[ticket.deviationState]}
        </span>
      ),
    ],
    ...(tares.length > 0 ? [['近次皮重', tares.map((one) => one.toFixed(2)).join(' / ')] as [string, React.ReactNode]] : []),
  ]
  return (
    <Panel title={title} actions={<Link to={hrefOf('/loadometer/detail', { id: ticket.id })}>{ticket.billNo}</Link>}>
      <dl className="weigh-ticket">
        {rows.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <div className="weigh-acts">
        {mayEdit && (
          <Link to={hrefOf('/loadometer/edit', { id: ticket.id })}>
            <Button block>补全、修改</Button>
          </Link>
        )}
        {mayPrint && (
          <Button
            loading={print.running}
            onClick={() => void print.run({ body: { feature: 'weighSlip', exportType: 'pdf', query: { id: ticket.id } } })}
          >
            打印磅单
          </Button>
        )}
      </div>
    </Panel>
  )
}
