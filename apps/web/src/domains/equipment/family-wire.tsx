import { listFamilies } from '@zhugong/contract/telemetry/endpoints'
import type { FamilyView } from '@zhugong/contract/telemetry/model'
import { useState } from 'react'
import { useCall } from '#kit/call.ts'
import { useFamily } from '#kit/family.ts'
import { Card, DetailSkeleton, ErrorPanel } from '#kit/feedback.tsx'
import { Choice } from '#kit/inputs.tsx'
import { Copyable } from './copyable.tsx'
import './equipment.css'
import { fieldTypes, rangeOf } from './field-words.ts'

/** Message format of a family: keys and units of metrics and records, and sample messages to send. */
export function FamilyWire({ family: key, protocol }: { family: string; protocol?: string | undefined }) {
  const { data, error, refetch } = useFamily(key)
  if (error && !data) return <ErrorPanel error={error} retry={refetch} />
  if (!data) return <DetailSkeleton />
  const samples = data.samples.filter((one) => protocol === undefined || one.protocol === protocol)
  return (
    <>
      {samples.map((one) => (
        <Card key={one.label} title={`报文样例：${one.label}`} remark={`${data.name}，数值可改，标识和单位不能改`}>
          <Copyable text={one.text} />
        </Card>
      ))}
      <Card title="指标" remark={`${data.name}的 data 里可以有的标识`} flush>
        <FieldTable fields={data.metrics} />
      </Card>
      {data.records
        .filter((record) => record.fields.length > 0)
        .map((record) => (
          <Card key={record.key} title={`记录：${record.label}`} remark={`record = ${record.key}`} flush>
            <FieldTable fields={record.fields} />
          </Card>
        ))}
    </>
  )
}

/** The same with a choice of the family, for a gateway that carries several. */
export function AnyFamilyWire({ first, protocol }: { first: string | undefined; protocol?: string | undefined }) {
  const [chosen, setChosen] = useState<string>()
  const families = useCall(listFamilies, {}, { staleMs: 3_600_000, quiet: true })
  const key = chosen ?? first ?? families.data?.list[0]?.key ?? ''
  return (
    <>
      <Card title="下挂设备发什么" remark="按设备类别">
        <Choice
          aria-label="设备类别"
          clear={false}
          value={key}
          onChange={setChosen}
          options={(families.data?.list ?? []).map((one) => ({ value: one.key, label: one.name }))}
        />
      </Card>
      <FamilyWire family={key} protocol={protocol} />
    </>
  )
}

function FieldTable({ fields }: { fields: FamilyView['metrics'] }) {
  return (
    <table className="eq-table">
      <thead>
        <tr>
          <th>名称</th>
          <th>标识</th>
          <th>单位</th>
          <th>类型</th>
          <th>范围或取值</th>
        </tr>
      </thead>
      <tbody>
        {fields.map((field) => (
          <tr key={field.key}>
            <td>{field.label}</td>
            <td>
              <code>{field.key}</code>
            </td>
            <td>{field.unit || '--'}</td>
            <td>{fieldTypes[field.type] ?? field.type}</td>
            <td>{rangeOf(field)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
