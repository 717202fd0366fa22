import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { weighTypeNames } from '@zhugong/contract/monitoring/weigh/weigh-codes'
import { correctTicket, getTicket } from '@zhugong/contract/monitoring/weigh/weighing'
import { Input } from 'antd'
import { useAct, useCall } from '#kit/call.ts'
import { NothingChosen } from '#kit/detail-shell.tsx'
import { Card, Empty, ErrorPanel, Notice, Pairs } from '#kit/feedback.tsx'
import { FieldGroup, FormPage } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { time } from '#kit/format.ts'
import { Choice, LongText, NumberInput } from '#kit/inputs.tsx'
import { hrefOf, usePage, usePageQuery } from '#kit/page.tsx'
import { Thumb } from '#kit/viewers.tsx'
import { ManualTicket } from './manual-ticket.tsx'
import { CargoFields, Result } from './ticket-fields.tsx'
import { StatusTag } from './ticket-words.tsx'
import './yard.css'

const { Field } = formOf(correctTicket)

type Ticket = OutputFor<typeof getTicket>
const types = Object.entries(weighTypeNames).map(([value, label]) => ({ value, label }))
const decimals = 3

/** Completes or corrects a ticket; every change is logged. */
export default function TicketEditPage() {
  const query = usePageQuery()
  const id = query.get('id') ?? ''
  const file = useCall(getTicket, { params: { id } }, { quiet: true, enabled: id !== '', staleMs: 0 })
  if (query.get('manual') !== null) return <ManualTicket deviceId={query.get('deviceId') ?? undefined} />
  if (id === '')
    return <NothingChosen title="过磅记录编辑" thing="磅单" one="要修改的磅单" from={{ path: '/loadometer/record', name: '过磅记录' }} />
  if (file.error) return <ErrorPanel error={file.error} retry={file.refetch} />
  return <Edit key={file.data ? `${file.data.id}.${file.data.version}` : 'waiting'} ticket={file.data} />
}

function Edit({ ticket }: { ticket: Ticket | undefined }) {
  const page = usePage()
  const act = useAct(correctTicket, {
    success: ({ awaitingAudit }) => (awaitingAudit ? '已保存，车牌与重量的修改等待审核' : '磅单已保存'),
    onDone: ({ id }) => page.leave(hrefOf('/loadometer/detail', { id })),
  })
  const id = ticket?.id ?? ''
  const closed = ticket !== undefined && !ticket.actions.includes('save')
  return (
    <FormPage
      act={act}
      loading={ticket === undefined}
      title="过磅记录编辑"
      remark={ticket && `${ticket.billNo} ${ticket.plateNo}`}
      readOnly={closed}
      initial={
        ticket && {
          plateNo: ticket.plateNo,
          weighType: ticket.weighType || undefined,
          material: ticket.material || undefined,
          spec: ticket.spec || undefined,
          supplier: ticket.supplier || undefined,
          receiver: ticket.receiver || undefined,
          billWeight: ticket.billWeight ?? undefined,
          deductWeight: ticket.deductWeight || undefined,
          grossWeight: ticket.grossWeight ?? undefined,
          tareWeight: ticket.tareWeight ?? undefined,
        }
      }
      input={(body) => ({ params: { id }, body: { ...body, action: 'save' as const, version: ticket?.version } })}
      aside={ticket && <Device ticket={ticket} />}
      barRemark="货物、供应商、面单与扣重立即生效；车牌、毛重、皮重须审核后生效"
    >
      {ticket && <Fields ticket={ticket} closed={closed} />}
    </FormPage>
  )
}

function Fields({ ticket, closed }: { ticket: Ticket; closed: boolean }) {
  return (
    <>
      {closed && <Notice tone="warning">{ticket.device.settled === true ? '已结算，不可修改' : '磅单已作废，或没有修改权限'}</Notice>}
      {ticket.pending && (
        <Notice tone="warning">
          {ticket.pending.byName} 的修改等待审核：
          {ticket.pending.changes.map(({ label, from, to }) => `${label} ${from} → ${to}`).join('；')}。审核前不能再改车牌与重量
        </Notice>
      )}
      <FieldGroup title="车辆与货物">
        <Field name="plateNo" label="车牌" help="改动须审核">
          <Input placeholder="如 鄂B32817" />
        </Field>
        <Field name="weighType" label="类型">
          <Choice options={types} />
        </Field>
        <CargoFields projectCode={ticket.projectCode} />
      </FieldGroup>
      <FieldGroup title="重量">
        <Field name="billWeight" label="面单重量" help="送货单上的重量，收料时填写">
          <NumberInput unit="t" min={0} precision={decimals} />
        </Field>
        <Field name="deductWeight" label="扣重" help="含水、含泥、杂质">
          <NumberInput unit="t" min={0} precision={decimals} />
        </Field>
        <Field name="grossWeight" label="毛重" help="改动须审核">
          <NumberInput unit="t" min={0} precision={decimals} />
        </Field>
        <Field name="tareWeight" label="皮重" help="改动须审核">
          <NumberInput unit="t" min={0} precision={decimals} />
        </Field>
        <Result />
      </FieldGroup>
      <FieldGroup title="原因">
        <Field name="reason" label="修改原因" span="all" help="写入修改记录，随磅单保留">
          <LongText />
        </Field>
      </FieldGroup>
    </>
  )
}

/** Values sent by the bridge, read-only. */
function Device({ ticket }: { ticket: Ticket }) {
  const sent = (key: string) => {
    const value = ticket.device[key]
    return typeof value === 'number' ? value.toFixed(decimals) : typeof value === 'string' ? value : null
  }
  return (
    <>
      <Card title="设备原值" remark={ticket.deviceName}>
        <Pairs
          items={[
            {
              label: '状态',
              value: <StatusTag status={ticket.status} overdue={ticket.overdue} awaitingAudit={ticket.awaitingAudit} />,
              wide: true,
            },
            { label: '车牌', value: sent('plateNo') },
            { label: '毛重 t', value: sent('grossWeight') },
            { label: '皮重 t', value: sent('tareWeight') },
            { label: '扣重 t', value: sent('deduction') },
            { label: '过磅时间', value: time(ticket.time), wide: true },
            {
              label: '该车近次皮重 t',
              value: ticket.lastTares
                .slice(0, 5)
                .map((one) => one.tareWeight.toFixed(2))
                .join(' / '),
              wide: true,
            },
          ]}
        />
      </Card>
      <Card title="照片">
        {ticket.photos.length === 0 ? (
          <Empty small text="这次过磅没有照片" />
        ) : (
          ticket.photos.map((src, i) => <Thumb key={src} src={src} name={`过磅照片 ${i + 1}`} width={240} height={160} />)
        )}
      </Card>
    </>
  )
}
