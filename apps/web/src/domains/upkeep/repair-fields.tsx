import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { noRepair, type RepairInput } from '@zhugong/contract/rectify/repair'
import { maintenancePeople } from '@zhugong/contract/upkeep/maintenance'
import { Button, Input, InputNumber } from 'antd'
import { useCall } from '#kit/call.ts'
import { FieldPhotos } from '#kit/field/field-photos.tsx'
import { Choice, DayInput } from '#kit/inputs.tsx'
import type { ReplyExtra } from '../rectify/public.tsx'

/** Parts and people of one repair, below its measure and photographs. */
export const RepairFields: ReplyExtra = ({ line, projectCode, value, onChange, problem }) => {
  const repair = value ?? noRepair
  return (
    <div className="upkeep-repair-fields">
      <PartFields id={line.id} value={repair.parts} onChange={(parts) => onChange({ ...repair, parts })} problem={problem} />
      <PeopleFields
        id={line.id}
        projectCode={projectCode}
        value={repair.maintainers}
        onChange={(maintainers) => onChange({ ...repair, maintainers })}
        problem={problem}
      />
    </div>
  )
}

interface PartProps {
  id: string
  value: RepairInput['parts']
  onChange: (value: RepairInput['parts']) => void
  problem: (field: string) => string | undefined
}
/** Replaced parts with number and certificate. */
export function PartFields({ id, value, onChange, problem }: PartProps) {
  const change = (at: number, part: Partial<RepairInput['parts'][number]>) =>
    onChange(value.map((one, i) => (i === at ? { ...one, ...part } : one)))
  return (
    <fieldset className="upkeep-rows">
      <legend>更换部件（没有更换可不填）</legend>
      {value.map((one, at) => (
        <div key={`${id} part ${at + 1}`} className="upkeep-row">
          <Input
            aria-label="部件名称"
            placeholder="名称，例如 起升钢丝绳"
            maxLength={50}
            value={one.name}
            onChange={(e) => change(at, { name: e.target.value })}
          />
          <Input
            aria-label="规格型号"
            placeholder="规格型号"
            maxLength={50}
            value={one.model ?? ''}
            onChange={(e) => change(at, { model: e.target.value || null })}
          />
          <Input
            aria-label="部件编号"
            placeholder="编号"
            maxLength={50}
            value={one.number ?? ''}
            onChange={(e) => change(at, { number: e.target.value || null })}
          />
          <InputNumber
            aria-label="数量"
            min={1}
            max={1000}
            precision={0}
            value={one.count}
            onChange={(count) => change(at, { count: count ?? 1 })}
          />
          <Button icon={<DeleteOutlined />} aria-label="移除部件" onClick={() => onChange(value.filter((_, i) => i !== at))} />
          <div className="upkeep-wide">
            <span className="zg-2">合格证</span>
            <FieldPhotos max={5} value={one.certificates} onChange={(certificates) => change(at, { certificates })} />
          </div>
          {problem(`parts.${at}.name`) && <small className="tone-danger upkeep-wide">{problem(`parts.${at}.name`)}</small>}
        </div>
      ))}
      <Button
        icon={<PlusOutlined />}
        onClick={() => onChange([...value, { name: '', model: null, number: null, count: 1, certificates: [] }])}
      >
        添加部件
      </Button>
    </fieldset>
  )
}

interface PeopleProps {
  id: string
  projectCode: string
  value: RepairInput['maintainers']
  onChange: (value: RepairInput['maintainers']) => void
  problem: (field: string) => string | undefined
}
/** Who did the work: chosen from the register with the certificate, or written by name and number. */
export function PeopleFields({ id, projectCode, value, onChange, problem }: PeopleProps) {
  const { data } = useCall(maintenancePeople, { query: { projectCode } }, { quiet: true, offline: true })
  const known = data?.people ?? []
  const change = (at: number, part: Partial<RepairInput['maintainers'][number]>) =>
    onChange(value.map((one, i) => (i === at ? { ...one, ...part } : one)))
  const add = (key: string | null | undefined) => {
    const chosen = known.find((one) => keyOf(one) === key)
    if (chosen) onChange([...value, { workerId: chosen.workerId, name: chosen.name, certNo: chosen.certNo, certEnd: chosen.certEnd }])
  }
  return (
    <fieldset className="upkeep-rows">
      <legend>作业人员</legend>
      {value.map((one, at) => (
        <div key={`${id} person ${at + 1}`} className="upkeep-row">
          <Input
            aria-label="姓名"
            placeholder="姓名"
            maxLength={50}
            disabled={one.workerId !== null}
            value={one.name}
            onChange={(e) => change(at, { name: e.target.value })}
          />
          <Input
            aria-label="证号"
            placeholder="证号"
            maxLength={50}
            disabled={one.workerId !== null}
            value={one.certNo ?? ''}
            onChange={(e) => change(at, { certNo: e.target.value || null })}
          />
          {one.workerId === null ? (
            <DayInput id={`${id}-cert-${at}`} value={one.certEnd} onChange={(certEnd) => change(at, { certEnd: certEnd ?? null })} />
          ) : (
            <span className="zg-2">有效期至 {one.certEnd ?? '长期'}</span>
          )}
          <Button icon={<DeleteOutlined />} aria-label="移除人员" onClick={() => onChange(value.filter((_, i) => i !== at))} />
          {(problem(`maintainers.${at}.workerId`) ?? problem(`maintainers.${at}.name`)) && (
            <small className="tone-danger upkeep-wide">{problem(`maintainers.${at}.workerId`) ?? problem(`maintainers.${at}.name`)}</small>
          )}
        </div>
      ))}
      <div className="upkeep-row">
        <Choice
          id={`${id}-known`}
          aria-label="从本项目人员中选择"
          placeholder="选择人员"
          options={known.map((one) => ({ value: keyOf(one), label: `${one.name} ${one.certName}${one.valid ? '' : '（已过期）'}` }))}
          value={null}
          onChange={add}
        />
        <Button icon={<PlusOutlined />} onClick={() => onChange([...value, { workerId: null, name: '', certNo: null, certEnd: null }])}>
          手工填写
        </Button>
      </div>
      {problem('maintainers') && <small className="tone-danger">{problem('maintainers')}</small>}
    </fieldset>
  )
}
const keyOf = ({ workerId, certNo }: { workerId: string; certNo: string }) => `${workerId} ${certNo}`
