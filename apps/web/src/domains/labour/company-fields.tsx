import { createCorporation, updateCorporation } from '@zhugong/contract/organisation/corporations'
import { Input } from 'antd'
import { useState } from 'react'
import { useDicts } from '#kit/dicts.ts'
import { FieldGroup } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { day } from '#kit/format.ts'
import { AreaInput, Choice, Choices, DayInput, NumberInput, Upload } from '#kit/inputs.tsx'

const { Field, useValue } = formOf(createCorporation, updateCorporation)

/** Fields of a company's file, shared by create and change. */
export function CompanyFields({
  kept,
  children,
}: {
  kept?: { phone: string | null; number: string | null; licence: string | null }
  children?: React.ReactNode
}) {
  const dicts = useDicts('corpType', 'corpKind', 'idCardType', 'currency')
  const kinds = useValue('corpKind')
  const builder = kinds?.includes('4') ?? false
  const unchanged = (mask: string | null | undefined) => (mask ? { help: `现为 ${mask}，不填则不变` } : {})
  return (
    <>
      <FieldGroup title="登记信息">
        {children}
        <Field name="corpName" label="企业名称" span={2}>
          <Input />
        </Field>
        <Field name="corpType" label="登记注册类型">
          <Choice options={dicts.options('corpType')} />
        </Field>
        <Field name="corpKind" label="业务类别">
          <Choices options={dicts.options('corpKind')} />
        </Field>
        <Field name="areaCode" label="注册地区">
          <AreaInput />
        </Field>
        <Field name="address" label="营业地址" span={2}>
          <Input />
        </Field>
        <Field name="zipCode" label="邮政编码">
          <Input maxLength={6} />
        </Field>
        <Field name="regCapital" label="注册资本">
          <NumberInput min={0} precision={4} unit="万元" />
        </Field>
        <Field name="factRegCapital" label="实收资本">
          <NumberInput min={0} precision={4} unit="万元" />
        </Field>
        <Field name="capitalCurrencyType" label="资本币种">
          <Choice clear={false} options={dicts.options('currency')} />
        </Field>
        <Field name="registerDate" label="注册日期">
          <DayInput max={day(Date.now())} />
        </Field>
        <Field name="establishDate" label="成立日期">
          <DayInput max={day(Date.now())} />
        </Field>
        <Field name="licenseNum" label="工商注册号">
          <Input maxLength={50} />
        </Field>
      </FieldGroup>
      <FieldGroup title="法定代表人">
        <Field name="legalMan" label="姓名">
          <Input />
        </Field>
        <Field name="legalManIdCardType" label="证件类型">
          <Choice clear={false} options={dicts.options('idCardType')} />
        </Field>
        <Field name="legalManIdCardNumber" label="证件号" required={!kept} {...unchanged(kept?.number)}>
          <Input maxLength={30} />
        </Field>
        <Field name="legalManDuty" label="职务">
          <Input maxLength={50} />
        </Field>
        <Field name="legalManProTitle" label="职称">
          <Input maxLength={50} />
        </Field>
      </FieldGroup>
      <FieldGroup title="联系方式">
        <Field name="linkMan" label="联系人">
          <Input />
        </Field>
        <Field name="linkPhone" label="联系电话" required={!kept} {...unchanged(kept?.phone)}>
          <Input maxLength={50} inputMode="tel" />
        </Field>
        <Field name="officePhone" label="办公电话">
          <Input maxLength={20} />
        </Field>
        <Field name="email" label="企业邮箱">
          <Input maxLength={100} />
        </Field>
        <Field name="webSite" label="网址">
          <Input maxLength={200} placeholder="https://" />
        </Field>
        <Field name="faxNumber" label="传真">
          <Input maxLength={20} />
        </Field>
      </FieldGroup>
      <FieldGroup title="许可与附件" remark={builder ? '业务类别含施工，须有安全生产许可证' : ''}>
        <Field name="safetyLicenseNo" label="安全生产许可证号" required={builder} help="形如 (鄂)JZ安许证字[2024]000001">
          <Input maxLength={50} />
        </Field>
        <Field name="safetyLicenseEnd" label="安许证有效期至" required={builder}>
          <DayInput />
        </Field>
        <Field name="licenseFile" label="营业执照">
          <LicenceUpload kept={kept?.licence} />
        </Field>
      </FieldGroup>
    </>
  )
}

interface LicenceUploadProps {
  value?: string | null
  onChange?: (value: string | undefined) => void
  /** Link to the stored licence. */
  kept?: string | null | undefined
}

/** Uploads one picture and keeps its id, because the URL of an upload expires after two days. */
function LicenceUpload({ value, onChange, kept }: LicenceUploadProps) {
  const [sent, setSent] = useState<string>()
  const shown = value ? [sent, kept].find((link) => link && idOf(link) === value) : undefined
  return (
    <Upload
      max={1}
      maxMb={10}
      value={shown ? [shown] : []}
      onChange={(files) => {
        const last = files.at(-1)
        setSent(last)
        onChange?.(last && idOf(last))
      }}
    />
  )
}

const idOf = (link: string): string | undefined => /[?&]id=([\w-]+)/.exec(link)?.[1]
