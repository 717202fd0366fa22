import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { hourMs } from '@zhugong/contract/kit/time'
import {
  checkTicket,
  listWeighChecks,
  reweighWithinHours,
  type WeighCheck,
  weighOutcomes,
} from '@zhugong/contract/monitoring/weigh/weigh-checks'
import { ticketStatus } from '@zhugong/contract/monitoring/weigh/weigh-codes'
import { findTickets } from '@zhugong/contract/monitoring/weigh/weigh-lists'
import type { getTicket } from '@zhugong/contract/monitoring/weigh/weighing'
import { Button } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { useAct, useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { Card, Empty, Known, Tag } from '#kit/feedback.tsx'
import { type BodyOf, FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { thousands, time } from '#kit/format.ts'
import { Choice, LongText, NumberInput } from '#kit/inputs.tsx'
import { hrefOf } from '#kit/page.tsx'

const { Field, useValue } = formOf(checkTicket)

type Ticket = OutputFor<typeof getTicket>
const most = 20
const outcomes = Object.entries(weighOutcomes).map(([value, label]) => ({ value, label }))

/** Results of checks of a doubtful weighing. */
export function WeighChecks({ ticket }: { ticket: Ticket }) {
  const may = useCan(checkTicket, { projectCode: ticket.projectCode })
  const [isOpen, setIsOpen] = useState(false)
  const query = { projectCode: ticket.projectCode, ticketId: ticket.id }
  const all = useCall(listWeighChecks, { query: { ...query, size: most } }, { quiet: true })
  const list = all.data?.list ?? []
  const open = may && ticket.status === ticketStatus.done && ticket.device.settled !== true
  return (
    <Card title="核实" remark="以最近一次为准" actions={open && <Button onClick={() => setIsOpen(true)}>核实</Button>}>
      {list.length === 0 ? (
        <Known of={all}>
          <Empty small text="还没有核实" hint="磅差、皮重可疑时核实：短斤扣款、误报或复磅" />
        </Known>
      ) : (
        <table className="fam-table">
          <thead>
            <tr>
              <th>时间</th>
              <th>核实人</th>
              <th>结果</th>
              <th>说明</th>
            </tr>
          </thead>
          <tbody>
            {list.map((one) => (
              <tr key={one.id}>
                <td>{time(one.time)}</td>
                <td>{one.byName}</td>
                <td>
                  <Outcome check={one} />
                </td>
                <td>{one.reason}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {isOpen && <CheckForm ticket={ticket} onClose={() => setIsOpen(false)} />}
    </Card>
  )
}

function Outcome({ check }: { check: WeighCheck }) {
  return (
    <>
      <Tag tone={check.outcome === 'short' ? 'danger' : check.outcome === 'wrong' ? 'neutral' : 'fine'}>{weighOutcomes[check.outcome]}</Tag>{' '}
      {check.amount !== null &&
        `少 ${check.shortWeight?.toFixed(3)} t × ${thousands(check.unitPrice ?? undefined, 2)} 元，折合 ${thousands(check.amount, 2)} 元`}
      {check.againId !== null && (
        <Link to={hrefOf('/loadometer/detail', { id: check.againId })}>实重 {check.againWeight?.toFixed(3)} t</Link>
      )}
    </>
  )
}

function CheckForm({ ticket, onClose }: { ticket: Ticket; onClose: () => void }) {
  const act = useAct(checkTicket, { success: '已登记核实结果', refreshes: [listWeighChecks], onDone: onClose })
  return (
    <FormDrawer
      open
      narrow
      width={460}
      act={act}
      title="核实磅单"
      remark={`${ticket.billNo} ${ticket.plateNo}`}
      initial={{}}
      input={(body: BodyOf<typeof checkTicket>) => ({ query: { projectCode: ticket.projectCode }, body: { ...body, ticketId: ticket.id } })}
      onClose={onClose}
    >
      <Fields ticket={ticket} />
    </FormDrawer>
  )
}

function Fields({ ticket }: { ticket: Ticket }) {
  const outcome = useValue('outcome')
  const price = useValue('unitPrice')
  const later = useCall(
    findTickets,
    {
      query: {
        projectCode: ticket.projectCode,
        plateNo: ticket.plateNo,
        startTime: String(ticket.time),
        endTime: String(ticket.time + reweighWithinHours * hourMs),
        size: most,
      },
    },
    { quiet: true, enabled: outcome === 'reweighed' },
  )
  const others = (later.data?.list ?? []).filter((one) => one.id !== ticket.id)
  const short = (ticket.billWeight ?? 0) - (ticket.actualWeight ?? 0)
  return (
    <>
      <Field name="outcome" label="核实结果" required>
        <Choice clear={false} options={outcomes} />
      </Field>
      {outcome === 'short' && (
        <Field
          name="unitPrice"
          label="单价"
          required
          help={
            short > 0
              ? `少 ${short.toFixed(3)} t${price ? `，折合 ${thousands(short * price, 2)} 元` : ''}；扣重请另在“修改”中登记`
              : '实重不少于面单，没有可扣的短斤'
          }
        >
          <NumberInput unit="元/t" min={0} precision={2} />
        </Field>
      )}
      {outcome === 'reweighed' && (
        <Field name="againId" label="复磅的磅单" required help={`同一车牌，本单之后 ${reweighWithinHours} 小时内`}>
          <Choice
            options={others.map((one) => ({
              value: one.id,
              label: `${one.billNo} ${time(one.time).slice(5, 16)} 实重 ${one.actualWeight?.toFixed(3) ?? '--'} t`,
            }))}
          />
        </Field>
      )}
      <Field name="reason" label="核实说明" required>
        <LongText rows={3} />
      </Field>
    </>
  )
}
