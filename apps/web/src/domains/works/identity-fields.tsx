import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { changeWork, createWork, type workChoices } from '@zhugong/contract/works/calls'
import { isOverCategory, judgeScale, sizeKeys, sizesOf, thresholdsOf } from '@zhugong/contract/works/scale'
import { Checkbox, Input } from 'antd'
import { useDicts } from '#kit/dicts.ts'
import { Notice } from '#kit/feedback.tsx'
import { FieldGroup } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { day } from '#kit/format.ts'
import { Choice, DayInput, NumberInput, TreeChoice } from '#kit/inputs.tsx'
import { PlaceInput } from '../places/public.tsx'

export type Choices = OutputFor<typeof workChoices>

const { Field, useValue } = formOf(createWork, changeWork)

/** What identifies a work. The sizes asked for follow the category; what they make of it is said before saving. */
export function IdentityFields({ projectCode, choices }: { projectCode: string; choices: Choices }) {
  const dicts = useDicts('hazardCategory', 'riskLevel')
  const category = useValue('category') ?? ''
  const sizes = useValue('sizes') ?? {}
  const startDate = useValue('planStartDate')
  const corps = choices.corps.map((one) => ({ value: one.code, label: one.name }))
  const judged = category ? judgeScale(category, numbersOf(sizes)) : undefined
  const limits = category ? thresholdsOf(category) : ''
  return (
    <>
      <FieldGroup title="识别">
        <Field name="name" label="危大工程名称">
          <Input maxLength={200} placeholder="例如 主楼高支模" />
        </Field>
        <Field name="category" label="类别" help={limits && `超规模限值：${limits}`}>
          <TreeChoice tree={dicts.tree('hazardCategory')} />
        </Field>
        <Field name="riskLevel" label="风险等级" help={judged?.overScale ? '超规模的为一级或二级' : undefined}>
          <Choice clear={false} options={dicts.options('riskLevel')} />
        </Field>
        {sizesOf(category).map((key) => (
          <Field key={key} name={`sizes.${key}`} label={sizeKeys[key].label}>
            <NumberInput unit={sizeKeys[key].unit} min={0} />
          </Field>
        ))}
        {judged && judged.reasons.length > 0 && (
          <div className="zg-span-all">
            <Notice tone="warning">
              {judged.reasons.join('，')}：按超规模登记为“{dicts.name('hazardCategory', judged.category)}”，方案须经专家论证。
            </Notice>
          </div>
        )}
        <Field name="overScale" valueName="checked" label="超规模">
          <Checkbox disabled={category !== '' && isOverCategory(judged?.category ?? category)}>
            {judged?.overScale ? '类别或规模已达超规模' : '上调为超规模（不能再下调）'}
          </Checkbox>
        </Field>
      </FieldGroup>
      <FieldGroup title="部位与单位">
        <Field name="unitId" label="单位工程">
          <Choice options={choices.units.map((one) => ({ value: one.id, label: one.name }))} />
        </Field>
        <Field name="placeId" label="位置">
          <PlaceInput projectCode={projectCode} />
        </Field>
        <Field name="part" label="工程部位">
          <Input maxLength={200} placeholder="例如 主楼 3 层大堂" />
        </Field>
        <Field name="constructionCorp" label="施工单位">
          <Choice options={corps} placeholder="在场的参建单位" />
        </Field>
        <Field name="subCorp" label="专业分包" help="由分包实施的，分包单位也可以办理">
          <Choice options={corps} />
        </Field>
      </FieldGroup>
      <FieldGroup title="时间">
        <Field name="planStartDate" label="计划开始">
          <DayInput />
        </Field>
        <Field name="planEndDate" label="计划结束">
          <DayInput min={startDate ?? undefined} />
        </Field>
        <Field name="actualStartDate" label="登记前已开工的实际开始日期" help="早于方案通过的，列入监管重点">
          <DayInput max={day(Date.now())} />
        </Field>
      </FieldGroup>
    </>
  )
}

const numbersOf = (sizes: object) =>
  Object.fromEntries(
    Object.entries(sizes).map(([key, value]) => [key, value === null || value === undefined || value === '' ? null : Number(value)]),
  )
