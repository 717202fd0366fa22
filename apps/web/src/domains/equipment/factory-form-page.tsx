import { factoryRoles } from '@zhugong/contract/equipment/codes'
import { createFactory, getFactory, listFactories, updateFactory } from '@zhugong/contract/equipment/library-endpoints'
import { Checkbox, Input } from 'antd'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { Card, Notice } from '#kit/feedback.tsx'
import { FieldGroup } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { Choices, LongText, Upload } from '#kit/inputs.tsx'
import { initialOf, MakeOrChange } from '#kit/make-or-change.tsx'
import { hrefOf, usePage, usePageQuery } from '#kit/page.tsx'
import { FamilyChoices } from './library-parts.tsx'

const { Field, useValue } = formOf(createFactory, updateFactory)

const roleOptions = Object.entries(factoryRoles).map(([value, label]) => ({ value, label }))

/** Creates a manufacturer, or changes one (`?id=`). */
export default function FactoryFormPage() {
  const id = usePageQuery().get('id') ?? ''
  const page = usePage()
  const [thenBrand, setThenBrand] = useState(false)
  const known = useCall(getFactory, { params: { id } }, { enabled: id !== '', staleMs: 0 })
  const done = (made: { id: string }) =>
    thenBrand ? page.leave(hrefOf('/brand/edit', { factoryId: made.id })) : page.leave(hrefOf('/manufactor1.1.0/details', { id: made.id }))
  const maker = known.data
  const fields = (
    <>
      <FieldGroup title="基本">
        <Field name="name" label="名称" required>
          <Input placeholder="营业执照上的全称" />
        </Field>
        <Field name="corpCode" label="统一社会信用代码" help="18 位，保存时校验">
          <Input />
        </Field>
        <Field name="roles" label="角色" help="同一家公司可以既制造又维保">
          <Choices options={roleOptions} />
        </Field>
        <Field name="families" label="设备类别" span="all">
          <FamilyChoices />
        </Field>
        <SameName id={id} />
      </FieldGroup>
      <FieldGroup title="联系">
        <Field name="contact" label="技术联系人">
          <Input />
        </Field>
        <Field name="contactPhone" label="技术电话" help="只有平台看到全号">
          <Input />
        </Field>
        <Field name="serviceHours" label="服务时间">
          <Input placeholder="如 每日 8:00–22:00" />
        </Field>
        <Field name="salesContact" label="商务联系人">
          <Input />
        </Field>
        <Field name="salesPhone" label="商务电话">
          <Input />
        </Field>
      </FieldGroup>
      <FieldGroup title="证照与备注">
        <Field name="files" label="证照" span="all">
          <Upload max={10} accept="image/*,.pdf" maxMb={10} />
        </Field>
        <Field name="remark" label="备注" span="all">
          <LongText />
        </Field>
      </FieldGroup>
    </>
  )
  const aside = (
    <Card title="保存之后">
      <p className="zg-2">名称与信用代码各只登记一次，重复时会给出已有的记录。改名后，设备与型号上的厂商名称随之更新。</p>
    </Card>
  )
  const andBrand = (
    <Checkbox checked={thenBrand} onChange={(event) => setThenBrand(event.target.checked)}>
      保存后添加品牌
    </Checkbox>
  )
  return (
    <MakeOrChange
      id={id}
      make={{ title: '新增厂商', call: createFactory, success: '厂商已新增', initial: { roles: ['maker'] }, onDone: done }}
      change={{
        title: '编辑厂商',
        remark: maker?.name,
        call: updateFactory,
        initial: initialOf(updateFactory, maker),
        input: (body) => ({ params: { id }, body }),
        onDone: done,
      }}
      aside={aside}
      barActions={andBrand}
    >
      {fields}
    </MakeOrChange>
  )
}

/** Warns before saving that the name exists, with a link to that record. */
function SameName({ id }: { id: string }) {
  const name = useValue('name')?.trim() ?? ''
  const code = useValue('corpCode')?.trim() ?? ''
  const [submitted, setSubmitted] = useState({ name: '', code: '' })
  useEffect(() => {
    const timer = setTimeout(() => setSubmitted({ name, code }), 500)
    return () => clearTimeout(timer)
  }, [name, code])
  const byName = useCall(
    listFactories,
    { query: { kind: 'all', name: submitted.name, size: 20 } },
    { enabled: submitted.name.length > 1, quiet: true },
  )
  const byCode = useCall(
    listFactories,
    { query: { kind: 'all', corpCode: submitted.code, size: 5 } },
    { enabled: submitted.code.length === 18, quiet: true },
  )
  const same =
    byName.data?.list.find((one) => one.id !== id && one.name === submitted.name) ??
    byCode.data?.list.find((one) => one.id !== id && one.corpCode === submitted.code)
  if (!same) return null
  return (
    <div className="zg-span-all">
      <Notice tone="warning">
        已有厂商 <Link to={hrefOf('/manufactor1.1.0/details', { id: same.id })}>{same.name}</Link>
        {same.corpCode ? `（${same.corpCode}）` : ''}，名称或信用代码相同时不能保存。
      </Notice>
    </div>
  )
}
