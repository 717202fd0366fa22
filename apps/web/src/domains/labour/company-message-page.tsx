import { searchDirectory } from '@zhugong/contract/organisation/corporation-views'
import { getCorporation, updateCorporation } from '@zhugong/contract/organisation/corporations'
import type { CorporationDetail } from '@zhugong/contract/organisation/model'
import { Button } from 'antd'
import { useAct, useCall } from '#kit/call.ts'
import { useDicts } from '#kit/dicts.ts'
import { Card, DetailSkeleton, Empty, ErrorPanel, Notice } from '#kit/feedback.tsx'
import { useFormInstance } from '#kit/form.tsx'
import { useCompanyCode } from '#kit/own-company.ts'
import { differencesOf, SettingsForm } from '#kit/settings-shell.tsx'
import { ownFields } from './company-basic-page.tsx'
import { CompanyFields } from './company-fields.tsx'
import './labour.css'

const labels = {
  corpName: '企业名称',
  corpType: '登记注册类型',
  corpKind: '业务类别',
  areaCode: '注册地区',
  address: '营业地址',
  zipCode: '邮政编码',
  regCapital: '注册资本',
  factRegCapital: '实收资本',
  registerDate: '注册日期',
  establishDate: '成立日期',
  licenseNum: '工商注册号',
  legalMan: '法定代表人',
  legalManDuty: '职务',
  legalManProTitle: '职称',
  linkMan: '联系人',
  linkPhone: '联系电话',
  officePhone: '办公电话',
  email: '企业邮箱',
  webSite: '网址',
  faxNumber: '传真',
  safetyLicenseNo: '安全生产许可证号',
  safetyLicenseEnd: '安许证有效期至',
} as const

/** Edits the registered facts of a company beside those of the external register. */
export default function CompanyMessagePage() {
  const corpCode = useCompanyCode()
  const read = useCall(getCorporation, { params: { corpCode } }, { quiet: true, staleMs: 0, enabled: corpCode !== '' })
  if (read.error) return <ErrorPanel error={read.error} retry={read.refetch} />
  if (!read.data) return <DetailSkeleton />
  return <Message key={read.data.version} c={read.data} />
}

function Message({ c }: { c: CorporationDetail }) {
  const act = useAct(updateCorporation, { success: '企业信息已保存' })
  const dicts = useDicts('corpType', 'corpKind')
  const initial = Object.fromEntries(ownFields.map((key) => [key, c[key]])) as Record<string, unknown>
  const words = (value: unknown, key: string): string =>
    key === 'corpType'
      ? dicts.name('corpType', value as string)
      : Array.isArray(value)
        ? value.map((one) => dicts.name('corpKind', String(one))).join('、')
        : value === null || value === undefined || value === ''
          ? '无'
          : String(value)
  return (
    <SettingsForm
      act={act}
      title="企业信息"
      remark={c.corpCode}
      initial={initial}
      input={(body) => ({ params: { corpCode: c.corpCode }, body })}
      last={undefined}
      lock={c.canEdit ? undefined : '只有平台和企业本身可以修改企业档案，此处只供查看'}
      differences={(values) => differencesOf(initial, { ...initial, ...values }, labels, words)}
      aside={<Register c={c} />}
    >
      {c.missing.length > 0 && <Notice tone="warning">档案不全，缺{c.missing.join('、')}</Notice>}
      <CompanyFields kept={{ phone: c.linkPhone, number: c.legalManIdCardNumber, licence: c.licenseUrl }} />
    </SettingsForm>
  )
}

const compared = {
  corpName: '企业名称',
  legalMan: '法定代表人',
  address: '营业地址',
  regCapital: '注册资本',
  registerDate: '注册日期',
} as const

/** Facts of the external register, copied to the form field by field. */
function Register({ c }: { c: CorporationDetail }) {
  const form = useFormInstance()
  const read = useCall(searchDirectory, { query: { keyword: c.corpCode } }, { quiet: true, enabled: c.canEdit })
  const hit = read.data?.list.find((one) => one.corpCode === c.corpCode)
  if (!c.canEdit) return null
  return (
    <Card title="工商比对" remark={hit ? `${hit.source}，${hit.status}` : undefined}>
      {read.error ? (
        <Notice tone="info">名录暂不可用，未比对</Notice>
      ) : !read.data ? (
        <DetailSkeleton />
      ) : !hit ? (
        <Empty small text="未比对" hint="名录中没有该统一社会信用代码" />
      ) : (
        (Object.keys(compared) as (keyof typeof compared)[]).map((key) => {
          const differs = hit[key] !== null && String(hit[key]) !== String(c[key])
          return (
            <div key={key} className="company-compared">
              <span className="zg-2">{compared[key]}</span>
              <span className={differs ? 'tone-warning' : ''}>{hit[key] === null ? '--' : String(hit[key])}</span>
              {differs && (
                <Button size="small" type="link" onClick={() => form.setFieldValue([key], hit[key])}>
                  采用
                </Button>
              )}
            </div>
          )
        })
      )}
    </Card>
  )
}
