import { createBrand, getBrand, updateBrand } from '@zhugong/contract/equipment/library-endpoints'
import { Button, Checkbox, Input, Select } from 'antd'
import { useState } from 'react'
import { confirmDanger } from '#kit/ask.ts'
import { useCall } from '#kit/call.ts'
import type { Control } from '#kit/control.ts'
import { Card } from '#kit/feedback.tsx'
import { FieldGroup } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { LongText, Upload } from '#kit/inputs.tsx'
import { initialOf, MakeOrChange } from '#kit/make-or-change.tsx'
import { hrefOf, usePage, usePageQuery } from '#kit/page.tsx'
import { FactoryChoice, FamilyChoices } from './library-parts.tsx'

const { Field, useValue } = formOf(createBrand, updateBrand)

/** Creates a brand, or changes one (`?id=`). */
export default function BrandFormPage() {
  const query = usePageQuery()
  const id = query.get('id') ?? ''
  const page = usePage()
  const [thenModel, setThenModel] = useState(false)
  const known = useCall(getBrand, { params: { id } }, { enabled: id !== '', staleMs: 0 })
  const done = (made: { id: string }) =>
    thenModel ? page.leave(hrefOf('/model/edit', { brandId: made.id })) : page.leave(hrefOf('/brand/details', { id: made.id }))
  const brand = known.data
  const fields = (
    <FieldGroup title="品牌">
      <Field name="factoryId" label="厂商" required>
        <FactoryChoice known={brand && { id: brand.factoryId, name: brand.factoryName }} />
      </Field>
      <Field name="name" label="名称" required>
        <Input placeholder="如 衡安" />
      </Field>
      <Field name="families" label="设备类别">
        <FamilyChoices />
      </Field>
      <Field name="alias" label="别名" span="all" help="导入与对接时，写成别名也认得；一个名称只属于一个品牌">
        <Words />
      </Field>
      <Field name="logo" label="标志" span="all" help="方形图片">
        <OnePicture />
      </Field>
      <Field name="remark" label="备注" span="all">
        <LongText />
      </Field>
      {brand && <MakerChange before={brand} />}
    </FieldGroup>
  )
  const andModel = (
    <Checkbox checked={thenModel} onChange={(event) => setThenModel(event.target.checked)}>
      保存后新增型号
    </Checkbox>
  )
  const aside = (
    <Card title="别名有什么用">
      <p className="zg-2">同一品牌常有几种写法。别名填全，就不会因为写法不同而出现重复的品牌；已经重复的在“设备品牌”中合并。</p>
    </Card>
  )
  return (
    <MakeOrChange
      id={id}
      make={{
        title: '新增品牌',
        call: createBrand,
        success: '品牌已新增',
        initial: { factoryId: query.get('factoryId') ?? undefined, alias: [] },
        onDone: done,
      }}
      change={{
        title: '编辑品牌',
        remark: brand?.name,
        call: updateBrand,
        initial: initialOf(updateBrand, brand),
        input: (body) => ({ params: { id }, body }),
        onDone: done,
      }}
      barActions={andModel}
      aside={aside}
    >
      {fields}
    </MakeOrChange>
  )
}

/** Input for a list of words. */
export function Words({ value, onChange, ...rest }: Control<string[]>) {
  return (
    <Select
      {...rest}
      mode="tags"
      open={false}
      suffixIcon={null}
      tokenSeparators={['、', ',', '，', ' ']}
      placeholder="输入后回车"
      className="zg-w-all"
      value={value ?? []}
      onChange={(next: string[]) => onChange?.(next)}
    />
  )
}

/** Input for one picture; its value is a URL. */
export function OnePicture({ value, onChange, id }: Control<string>) {
  return <Upload max={1} id={id || undefined} value={value ? [value] : []} onChange={(files) => onChange?.(files[0])} maxMb={2} />
}

/** Warns that models and devices move with the brand to the new manufacturer. */
function MakerChange({ before }: { before: { factoryId: string; factoryName: string; models: number; devices: number; name: string } }) {
  const factoryId = useValue('factoryId')
  const [confirmed, setConfirmed] = useState(false)
  if (!factoryId || factoryId === before.factoryId || before.models + before.devices === 0) return null
  return (
    <div className="zg-span-all zg-notice zg-notice-warning" role="status">
      <div>
        {before.name} 的 {before.models} 个型号、{before.devices} 台设备将随品牌改到新厂商。{confirmed ? '已知悉。' : ''}
      </div>
      {!confirmed && (
        <div className="right">
          <Button
            size="small"
            onClick={() =>
              void confirmDanger({
                thing: `把 ${before.name} 从 ${before.factoryName} 改到另一家厂商`,
                consequence: `${before.models} 个型号、${before.devices} 台设备一并更改，保存后生效。`,
                verb: '知悉，继续',
                keep: '不更改',
              }).then(setConfirmed)
            }
          >
            看清影响
          </Button>
        </div>
      )}
    </div>
  )
}
