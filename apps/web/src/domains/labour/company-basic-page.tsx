import { EditOutlined } from '@ant-design/icons'
import { getCorporation, updateCorporation } from '@zhugong/contract/organisation/corporations'
import type { CorporationDetail } from '@zhugong/contract/organisation/model'
import { Button } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { useDicts } from '#kit/dicts.ts'
import { Card, DetailSkeleton, ErrorPanel, Notice, Pairs } from '#kit/feedback.tsx'
import { FormDrawer } from '#kit/form.tsx'
import { daysLeft, phone, thousands } from '#kit/format.ts'
import { usePageQuery } from '#kit/page.tsx'
import { Thumb } from '#kit/viewers.tsx'
import { CompanyFields } from './company-fields.tsx'

/** Registered identity of a company. */
export default function CompanyBasicPage() {
  const corpCode = usePageQuery().get('corpCode') ?? ''
  const read = useCall(getCorporation, { params: { corpCode } }, { quiet: true, staleMs: 15_000 })
  const dicts = useDicts('currency', 'idCardType')
  const [editing, setEditing] = useState(false)
  if (read.error) return <ErrorPanel error={read.error} retry={read.refetch} />
  const c = read.data
  if (!c) return <DetailSkeleton />
  return (
    <>
      {c.missing.length > 0 && <Notice tone="warning">档案不全，缺{c.missing.join('、')}</Notice>}
      <Card
        title="登记信息"
        remark={c.canEdit ? '' : '只有平台和企业本身可以修改'}
        actions={
          c.canEdit && (
            <Button icon={<EditOutlined />} onClick={() => setEditing(true)}>
              编辑
            </Button>
          )
        }
      >
        <Pairs
          items={[
            { label: '企业名称', value: c.corpName },
            { label: '统一社会信用代码', value: c.corpCode },
            { label: '登记注册类型', value: c.corpTypeName },
            { label: '业务类别', value: c.corpKindName },
            { label: '注册地区', value: c.areaName },
            { label: '注册日期', value: c.registerDate },
            {
              label: '注册资本',
              value: c.regCapital === null ? null : `${thousands(c.regCapital)} 万元（${dicts.name('currency', c.capitalCurrencyType)}）`,
            },
            { label: '实收资本', value: c.factRegCapital === null ? null : `${thousands(c.factRegCapital)} 万元` },
            { label: '成立日期', value: c.establishDate },
            { label: '营业地址', value: c.address, wide: true },
          ]}
        />
      </Card>
      <Card title="法定代表人">
        <Pairs
          items={[
            { label: '姓名', value: c.legalMan },
            {
              label: '证件',
              value: c.legalManIdCardNumber && `${dicts.name('idCardType', c.legalManIdCardType)} ${c.legalManIdCardNumber}`,
            },
            { label: '职务 / 职称', value: [c.legalManDuty, c.legalManProTitle].filter(Boolean).join(' / ') },
          ]}
        />
      </Card>
      <Card title="联系方式">
        <Pairs
          items={[
            { label: '联系人', value: c.linkMan },
            { label: '联系电话', value: c.linkPhone ? phone(c.linkPhone) : null },
            { label: '办公电话', value: c.officePhone },
            { label: '企业邮箱', value: c.email },
            { label: '网址', value: c.webSite },
            { label: '传真', value: c.faxNumber },
          ]}
        />
      </Card>
      <Card title="安全生产许可证与证照">
        <Pairs
          items={[
            { label: '许可证号', value: c.safetyLicenseNo },
            { label: '有效期至', value: c.safetyLicenseEnd ? `${c.safetyLicenseEnd}（${daysLeft(c.safetyLicenseEnd)}）` : null },
            {
              label: '营业执照',
              value: c.licenseUrl ? <Thumb src={c.licenseUrl} name="营业执照" width={123} height={80} /> : null,
            },
          ]}
        />
      </Card>
      {editing && <EditDrawer c={c} onClose={() => setEditing(false)} />}
    </>
  )
}

export const ownFields = [
  'corpCode',
  'corpName',
  'corpType',
  'corpKind',
  'licenseNum',
  'areaCode',
  'address',
  'zipCode',
  'legalMan',
  'legalManDuty',
  'legalManProTitle',
  'legalManIdCardType',
  'regCapital',
  'factRegCapital',
  'capitalCurrencyType',
  'registerDate',
  'establishDate',
  'officePhone',
  'faxNumber',
  'linkMan',
  'email',
  'webSite',
  'safetyLicenseNo',
  'safetyLicenseEnd',
  'licenseFile',
  'version',
] as const

function EditDrawer({ c, onClose }: { c: CorporationDetail; onClose: () => void }) {
  const act = useAct(updateCorporation, { success: '企业档案已修改' })
  return (
    <FormDrawer
      open
      width={860}
      act={act}
      title="编辑企业档案"
      remark={c.corpName}
      initial={Object.fromEntries(ownFields.map((key) => [key, c[key]]))}
      input={(body) => ({ params: { corpCode: c.corpCode }, body })}
      onClose={onClose}
    >
      <div className="zg-span-all zg-stack-12">
        <CompanyFields kept={{ phone: c.linkPhone, number: c.legalManIdCardNumber, licence: c.licenseUrl }} />
      </div>
    </FormDrawer>
  )
}
