import { protocolNames } from '@zhugong/contract/equipment/codes'
import { createModel, updateModel } from '@zhugong/contract/equipment/model-endpoints'
import { Input } from 'antd'
import type { Control } from '#kit/control.ts'
import { useFamily } from '#kit/family.ts'
import { FieldGroup, ReadOnly } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { Choice, Choices, LongText, NumberInput, Upload } from '#kit/inputs.tsx'
import { OnePicture } from './brand-form-page.tsx'
import { BrandChoice, type CurrentChoice, FamilyChoice } from './library-parts.tsx'
import { AlarmCodes } from './model-codes.tsx'
import { MetricTable } from './model-metrics.tsx'
import { RegisterTable } from './model-registers.tsx'

const { Field, useValue } = formOf(createModel, updateModel)

export const protocolOptions = Object.entries(protocolNames).map(([value, label]) => ({ value, label }))

export function Fields({
  locked,
  familyName,
  brand,
}: {
  locked: boolean
  familyName: string | undefined
  brand: CurrentChoice | undefined
}) {
  const family = useValue('family')
  const kind = useFamily(family)
  return (
    <>
      <FieldGroup title="基本">
        <Field name="brandId" label="品牌" required>
          <BrandChoice known={brand} />
        </Field>
        <Field name="family" label="设备类别" required>
          {locked ? <ReadOnlyFamily name={familyName} /> : <FamilyChoice />}
        </Field>
        <Field name="name" label="型号名称" required>
          <Input placeholder="铭牌上的型号" />
        </Field>
        <Field name="protocols" label="协议">
          <Choices options={protocolOptions} />
        </Field>
        <Field name="photo" label="照片">
          <OnePicture />
        </Field>
      </FieldGroup>
      <FieldGroup title="指标" remark="不勾选任何一项表示全部；量程只能比类别的窄">
        <Field name="metrics" span="all">
          <MetricTable family={kind.data} />
        </Field>
      </FieldGroup>
      <FieldGroup title="寄存器" remark="轮询网关按此读取，保存即生效">
        <Field name="registers" span="all">
          <RegisterTable family={kind.data} />
        </Field>
      </FieldGroup>
      <FieldGroup title="报警码">
        <Field name="alarmCodes" span="all">
          <AlarmCodes family={kind.data} />
        </Field>
      </FieldGroup>
      {kind.data && kind.data.params.length > 0 && (
        <FieldGroup title="默认参数" remark="登记设备时自动带入，可再修改">
          {kind.data.params.map((one) => (
            <Field key={one.key} name={`params.${one.key}`} label={one.label}>
              {one.values ? (
                <Choice options={Object.entries(one.values).map(([value, label]) => ({ value, label }))} />
              ) : one.type === 'number' || one.type === 'integer' ? (
                <NumberInput unit={one.unit} min={one.min} max={one.max} />
              ) : (
                <Input maxLength={64} />
              )}
            </Field>
          ))}
        </FieldGroup>
      )}
      <FieldGroup title="文档">
        <Field name="docs" label="说明书与点表" span="all">
          <Upload max={10} accept="image/*,.pdf,.doc,.docx,.xlsx,.zip,.dwg,.mp4" maxMb={500} />
        </Field>
        <Field name="remark" label="备注" span="all">
          <LongText />
        </Field>
      </FieldGroup>
    </>
  )
}

const ReadOnlyFamily = ({ name }: Control<string> & { name: string | undefined }) => <ReadOnly value={name ?? ''} />
