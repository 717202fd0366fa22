import type { getDevice } from '@zhugong/contract/equipment/endpoints'
import { keysSaidByAccess } from '@zhugong/contract/equipment/said-by-access'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { listFamilies } from '@zhugong/contract/telemetry/endpoints'
import { Input } from 'antd'
import { useCall } from '#kit/call.ts'
import { useFamily } from '#kit/family.ts'
import { DependentFields } from '#kit/form.tsx'
import { Choice, DayInput, NumberInput, Upload } from '#kit/inputs.tsx'
import { AccessFields } from './access-fields.tsx'
import { Field, useValue } from './device-form-fields.ts'
import { Verify } from './device-verify.tsx'
import { protocolOptions } from './device-words.tsx'
import { FactoryChoice, ModelChoice } from './library-parts.tsx'
import { OwnerChoice } from './owner-choice.tsx'
import { ProjectChoice } from './project-choice.tsx'

type Known = Pick<OutputFor<typeof getDevice>, 'modelId' | 'modelName' | 'providerId' | 'providerName'>

const nameOf = (id: string | null | undefined, name: string | null | undefined) => (id && name ? { id, name } : undefined)

export function Fields({
  editing,
  isFixed,
  deviceId,
  known,
  owner,
}: {
  editing: boolean
  /** The project cannot be changed. */
  isFixed: boolean
  /** Names of the current model and provider. */
  known: Known | undefined
  deviceId: string | undefined
  owner: { code: string; name: string } | undefined
}) {
  const families = useCall(listFamilies, {}, { staleMs: 3_600_000 })
  const family = useValue('family')
  const protocol = useValue('access.protocol')
  const project = useValue('projectCode')
  const kind = useFamily(family)
  const wanted = (kind.data?.params ?? []).filter((one) => !keysSaidByAccess(protocol).includes(one.key))
  return (
    <>
      <Field name="projectCode" label="项目" required>
        <ProjectChoice isFixed={isFixed} />
      </Field>
      <Field name="family" label="设备类别" required>
        <Choice
          clear={false}
          disabled={editing}
          loading={families.isPending}
          options={(families.data?.list ?? []).map((one) => ({ value: one.key, label: one.name }))}
        />
      </Field>
      <Field name="name" label="设备名称">
        <Input placeholder="现场叫法，如 3# 塔机" />
      </Field>
      <Field name="deviceSn" label="序列号">
        <Input placeholder="铭牌或网关上报的编号" />
      </Field>
      <Field name="access.protocol" label="接入方式" required>
        <Choice clear={false} options={protocolOptions} />
      </Field>
      <Field name="intervalSeconds" label="上报间隔" help="超过三个间隔没有数据即显示为陈旧">
        <NumberInput unit="秒" min={0.1} max={86400} />
      </Field>
      {protocol && <AccessFields protocol={protocol} projectCode={project} editing={editing} />}
      <Field name="modelId" label="型号" help="选型号后带入厂家、品牌与默认参数">
        <ModelChoice family={family} known={nameOf(known?.modelId, known?.modelName)} />
      </Field>
      <Field name="providerId" label="供应商">
        <FactoryChoice kind="provider" known={nameOf(known?.providerId, known?.providerName)} />
      </Field>
      {(family === 'towerCrane' || family === 'lifter') && (
        <Field name="specialRecordNo" label="产权备案编号" help="塔机、升降机审核通过前必填">
          <Input />
        </Field>
      )}
      <Field name="ownerCorp" label="产权单位" help="设备归谁所有；租赁设备填租赁公司">
        <OwnerChoice projectCode={project} known={owner} />
      </Field>
      <Field name="installPlace" label="安装位置">
        <Input />
      </Field>
      <Field name="leader" label="负责人">
        <Input />
      </Field>
      <Field name="installDate" label="安装日期">
        <DayInput />
      </Field>
      <Field name="dueDate" label="服务到期">
        <DayInput />
      </Field>
      <Field name="files" label="附件" span="all">
        <Upload max={10} accept="image/*,.pdf,.doc,.docx,.xlsx,.zip,.dwg,.mp4" maxMb={500} />
      </Field>
      {kind.data && wanted.length > 0 && (
        <DependentFields why={`${kind.data.name}的参数：缺少的参数会让相关告警无法判断`}>
          {wanted.map((one) => (
            <Field
              key={one.key}
              name={`params.${one.key}`}
              label={one.label}
              help={one.min !== undefined && one.max !== undefined ? `${one.min}～${one.max} ${one.unit}` : undefined}
            >
              {one.values ? (
                <Choice options={Object.entries(one.values).map(([value, label]) => ({ value, label }))} />
              ) : one.type === 'number' || one.type === 'integer' ? (
                <NumberInput unit={one.unit} min={one.min} max={one.max} precision={one.precision ?? 2} />
              ) : (
                <Input maxLength={64} />
              )}
            </Field>
          ))}
        </DependentFields>
      )}
      <Verify deviceId={deviceId} />
    </>
  )
}
