import { UploadOutlined } from '@ant-design/icons'
import { type EnterpriseRow, enterpriseList, listEnterprises, registerStates, uploadRegister } from '@zhugong/contract/labour/register'
import { createCorporation } from '@zhugong/contract/organisation/corporations'
import { Button } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { FigureStrip, Tag, type Tone } from '#kit/feedback.tsx'
import { daysUntil, thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { hrefOf, useGo } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { RegisterUpload } from './register-upload.tsx'

const tones: Record<EnterpriseRow['here'], Tone> = { known: 'fine', unknown: 'neutral', differs: 'warning' }
export const HereTag = ({ here }: { here: EnterpriseRow['here'] }) => (
  <Tag tone={tones[here]} icon={false}>
    {registerStates[here]}
  </Tag>
)
/** A date, red if past, yellow within ninety days. */
export function Until({ day }: { day: string | null }) {
  if (!day) return <span className="zg-2">未提供</span>
  const left = daysUntil(day) ?? 0
  return <span className={left < 0 ? 'tone-danger' : left <= 90 ? 'tone-warning' : ''}>{day}</span>
}

/** External register of companies: existence, licence and certified people. */
export default function RegisterListPage() {
  const go = useGo()
  const dicts = useDicts('corpKind')
  const list = useListPage(enterpriseList, {})
  const first = useCall(listEnterprises, { query: { size: 20 } }, { quiet: true })
  const [uploads, setUploads] = useState(false)
  const f = first.data?.figures
  const columns: ColumnOf<typeof enterpriseList>[] = [
    {
      key: 'corpName',
      width: 220,
      locked: true,
      sort: true,
      value: (e) => <Link to={hrefOf('/personalServer/intenterprise/details', { id: e.corpCode })}>{e.corpName}</Link>,
    },
    { key: 'corpCode', width: 172, value: (e) => e.corpCode },
    { key: 'area', width: 104, filter: 'area-cascader', value: (e) => e.areaName },
    { key: 'corpKind', width: 132, filter: 'multi', options: dicts.options('corpKind'), value: (e) => e.corpKindNames.join('、') },
    { key: 'qualification', width: 200, value: (e) => e.qualification },
    { key: 'safetyLicenseEnd', width: 116, sort: true, filter: 'date-range', value: (e) => <Until day={e.safetyLicenseEnd} /> },
    {
      key: 'registered',
      width: 104,
      align: 'right',
      sort: true,
      filter: 'numeric-range',
      value: (e) => e.registered ?? <span className="zg-2">未提供</span>,
    },
    {
      key: 'safety',
      width: 104,
      align: 'right',
      sort: true,
      filter: 'numeric-range',
      value: (e) => e.safety ?? <span className="zg-2">未提供</span>,
    },
    {
      key: 'here',
      width: 104,
      filter: 'multi',
      options: Object.entries(registerStates).map(([value, label]) => ({ value, label })),
      value: (e) => <HereTag here={e.here} />,
    },
    { key: 'asOf', width: 148, sort: true, value: (e) => <span title={e.source}>{e.asOf}</span> },
  ]
  return (
    <ListShell
      remark="外部名录只读，每行带来源和数据日期；名录中没有的企业取自本平台档案"
      actions={
        <Can call={uploadRegister}>
          <Button type="primary" icon={<UploadOutlined />} onClick={() => setUploads(true)}>
            上传名录
          </Button>
        </Can>
      }
      strip={
        <FigureStrip
          loading={!first.data}
          items={[
            { label: '企业总数', value: thousands(f?.total), unit: '家' },
            { label: '安许证已过期', value: thousands(f?.licenceEnded), unit: '家', tone: f?.licenceEnded ? 'danger' : undefined },
            {
              label: '资质 90 日内到期',
              value: thousands(f?.qualificationEnding),
              unit: '家',
              tone: f?.qualificationEnding ? 'warning' : undefined,
            },
            {
              label: '与本平台不一致',
              value: thousands(f?.differs),
              unit: '家',
              tone: f?.differs ? 'warning' : undefined,
              href: '/personalServer/intenterprise?here=differs',
            },
          ]}
        />
      }
    >
      <DataTable
        list={list}
        columns={columns}
        rowKey="corpCode"
        unit="家"
        search={{ key: 'q', placeholder: '企业名称、信用代码' }}
        onRow={(e) => go('/personalServer/intenterprise/details', { id: e.corpCode })}
        actions={(e) => [
          { label: '查看', href: hrefOf('/personalServer/intenterprise/details', { id: e.corpCode }) },
          e.here === 'unknown' && { label: '引入', needs: createCorporation, href: hrefOf('/companyCreateForm', { from: e.corpCode }) },
        ]}
      />
      {uploads && <RegisterUpload onClose={() => setUploads(false)} />}
    </ListShell>
  )
}
