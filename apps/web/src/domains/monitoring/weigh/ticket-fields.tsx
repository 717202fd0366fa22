import { sumWords } from '@zhugong/contract/monitoring/weigh/weigh-codes'
import { findTicketGroups } from '@zhugong/contract/monitoring/weigh/weigh-lists'
import { correctTicket, manualWeighing } from '@zhugong/contract/monitoring/weigh/weighing'
import { AutoComplete, Input } from 'antd'
import { useCall } from '#kit/call.ts'
import { formOf } from '#kit/form-of.ts'
import { time } from '#kit/format.ts'
import './yard.css'

const { Field, useValue } = formOf(manualWeighing, correctTicket)

const daysOfSuppliers = 90 * 86_400_000

/** Weights resulting from the current input. */
export function Result() {
  const gross = useValue('grossWeight') ?? null
  const tare = useValue('tareWeight') ?? null
  const deductWeight = useValue('deductWeight') ?? 0
  const billWeight = useValue('billWeight') ?? null
  const net = gross !== null && tare !== null && gross > 0 && tare > 0 ? gross - tare : null
  const actualWeight = net === null ? null : net - deductWeight
  const deviationPercent = actualWeight === null || !billWeight ? null : ((actualWeight - billWeight) / billWeight) * 100
  const wrong = net !== null && net <= 0 ? '毛重应大于皮重' : net !== null && deductWeight > net ? '扣重不能超过净重' : undefined
  return (
    <div className="zg-span-all">
      <output className="weigh-line">
        {sumWords({ grossWeight: gross, tareWeight: tare, deductWeight, actualWeight, billWeight, deviationPercent })}
      </output>
      {wrong && <p className="tone-danger">{wrong}</p>}
    </div>
  )
}

/** Suggests suppliers used on this site, so that spellings do not split the sums. */
function SupplierInput({
  projectCode,
  ...control
}: {
  projectCode: string
  value?: string
  onChange?: (value: string) => void
  id?: string
}) {
  const known = useCall(
    findTicketGroups,
    {
      query: {
        projectCode,
        groupBy: 'supplier,material',
        startTime: time(Math.floor(Date.now() / 86_400_000) * 86_400_000 - daysOfSuppliers),
        size: 500,
      },
    },
    { quiet: true, staleMs: 600_000 },
  )
  const names = [...new Set((known.data?.list ?? []).map((one) => one.supplier).filter(Boolean))]
  return (
    <AutoComplete
      {...control}
      options={names.map((value) => ({ value }))}
      filterOption={(typed, option) => String(option?.value ?? '').includes(typed)}
    />
  )
}

/** Fields of material, supplier and receiver. */
export function CargoFields({ projectCode }: { projectCode: string }) {
  return (
    <>
      <Field name="material" label="货物">
        <Input placeholder="如 商品混凝土" />
      </Field>
      <Field name="spec" label="规格">
        <Input placeholder="如 C35" />
      </Field>
      <Field name="supplier" label="供应商">
        <SupplierInput projectCode={projectCode} />
      </Field>
      <Field name="receiver" label="收货单位">
        <Input />
      </Field>
    </>
  )
}
