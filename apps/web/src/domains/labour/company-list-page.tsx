import { PlusOutlined } from '@ant-design/icons'
import { isOn, turned } from '@zhugong/contract/kit/enable'
import {
  corporationFigures,
  corporationList,
  createCorporation,
  removeCorporation,
  switchCorporation,
} from '@zhugong/contract/organisation/corporations'
import type { CorporationRow } from '@zhugong/contract/organisation/model'
import { Button } from 'antd'
import { Link } from 'react-router'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { EnableTag, enableOptions, switchAction } from '#kit/enable.tsx'
import { FigureStrip, Tag } from '#kit/feedback.tsx'
import { day, daysLeft, daysUntil, thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { hrefOf, useGo } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'

const licenceWarningDays = 90

/** Companies: verified, complete, valid and enabled. */
export default function CompanyListPage() {
  const go = useGo()
  const dicts = useDicts('corpKind', 'corpType')
  const list = useListPage(corporationList, { defaultSort: '-createTime' })
  const figures = useCall(corporationFigures, {}, { quiet: true })
  const toggle = useAct(switchCorporation, { success: '已办理' })
  const remove = useAct(removeCorporation, { success: '企业档案已删除' })
  const f = figures.data
  const today = day(Date.now())
  const soon = day(Date.now() + licenceWarningDays * 86_400_000)
  const columns: ColumnOf<typeof corporationList>[] = [
    {
      key: 'corpName',
      width: 186,
      locked: true,
      sort: true,
      filter: 'text',
      value: (c) => (
        <>
          <Link to={hrefOf('/companySystem/info/basic', { corpCode: c.corpCode })}>{c.corpName}</Link>{' '}
          {!isOn(c.enable) && <Tag>已停用</Tag>}
        </>
      ),
    },
    { key: 'corpCode', width: 166, filter: 'text', value: (c) => <span className="zg-num">{c.corpCode}</span> },
    { key: 'corpKind', width: 112, filter: 'multi', options: dicts.options('corpKind'), value: (c) => c.corpKindName },
    { key: 'areaCode', width: 80, filter: 'area-cascader', value: (c) => c.areaName },
    {
      key: 'safetyLicenseEnd',
      width: 116,
      sort: true,
      filter: 'date-range',
      value: (c) => <Licence end={c.safetyLicenseEnd} />,
    },
    {
      key: 'projectCount',
      width: 96,
      align: 'right',
      sort: true,
      filter: 'numeric-range',
      value: (c) => c.projectCount,
    },
    { key: 'onSite', width: 96, align: 'right', sort: true, filter: 'numeric-range', value: (c) => thousands(c.onSite) },
    {
      key: 'creditScore',
      width: 88,
      align: 'right',
      sort: true,
      filter: 'numeric-range',
      value: (c) => (c.creditScore < 80 ? <b className="tone-danger">{c.creditScore}</b> : c.creditScore),
    },
    {
      key: 'missing',
      width: 116,
      value: (c) => (c.missing.length ? <span className="tone-warning">缺{c.missing.join('、')}</span> : <span className="zg-2">--</span>),
    },
    {
      key: 'corpType',
      width: 140,
      hidden: true,
      filter: 'multi',
      options: dicts.options('corpType'),
      value: (c) => c.corpTypeName,
    },
    { key: 'legalMan', width: 96, hidden: true, value: (c) => c.legalMan },
    { key: 'linkMan', width: 160, hidden: true, value: (c) => `${c.linkMan} ${c.linkPhone ?? ''}` },
    {
      key: 'enable',
      width: 72,
      hidden: true,
      filter: 'single',
      options: enableOptions,
      value: (c) => <EnableTag enable={c.enable} />,
    },
    { key: 'createTime', width: 152, hidden: true, sort: true, filter: 'date-range', value: (c) => c.createTime },
  ]
  const drop = (c: CorporationRow) =>
    remove.afterRequesting(
      {
        thing: `删除 ${c.corpName} 的档案`,
        consequence: '只有从未参与项目的企业可以删除，不能恢复。',
        verb: '删除档案',
        keep: '保留',
        typeName: c.corpName,
        typeLabel: '输入企业名称确认',
      },
      { params: { corpCode: c.corpCode } },
    )
  return (
    <ListShell
      actions={
        <Can call={createCorporation}>
          <Button type="primary" icon={<PlusOutlined />} onClick={() => go('/companyCreateForm')}>
            新建企业
          </Button>
        </Can>
      }
      strip={
        <FigureStrip
          loading={!figures.data}
          items={[
            { label: '企业数', value: thousands(f?.total), unit: '家', href: '/companySystem' },
            {
              label: `安许证 ${licenceWarningDays} 日内到期`,
              value: thousands(f?.licenceEnding),
              unit: '家',
              tone: f?.licenceEnding ? 'warning' : undefined,
              href: `/companySystem?safetyLicenseEnd=${today},${soon}&sort=safetyLicenseEnd`,
            },
            {
              label: '安许证已过期',
              value: thousands(f?.licenceEnded),
              unit: '家',
              tone: f?.licenceEnded ? 'danger' : undefined,
              href: `/companySystem?safetyLicenseEnd=,${today}&sort=safetyLicenseEnd`,
            },
            { label: '信息不全', value: thousands(f?.incomplete), unit: '家', remark: '执照、电话或安许证' },
          ]}
        />
      }
    >
      <DataTable
        list={list}
        columns={columns}
        rowKey="corpCode"
        unit="家"
        search={{ key: 'q', placeholder: '企业名称或完整信用代码' }}
        onRow={(c) => go('/companySystem/info/basic', { corpCode: c.corpCode })}
        actions={(c) => [
          { label: '查看', href: hrefOf('/companySystem/info/basic', { corpCode: c.corpCode }) },
          { label: '扩展信息', href: hrefOf('/companySystem/info/extra', { corpCode: c.corpCode }) },
          switchAction({
            enable: c.enable,
            needs: switchCorporation,
            question: {
              thing: `停用 ${c.corpName}`,
              consequence: `该企业的账号立即退出且不能登录，不能再加入新项目；${c.projectCount} 个项目上的 ${c.onSite} 人和设备数据照常。`,
              verb: '停用企业',
              keep: '不变',
            },
            run: () => toggle.run({ body: { corpCode: c.corpCode, status: turned(c.enable) } }),
          }),
          c.projectCount === 0 && { label: '删除', danger: true, needs: removeCorporation, onClick: () => drop(c) },
        ]}
      />
    </ListShell>
  )
}

function Licence({ end }: { end: string | null }) {
  if (!end) return <span className="zg-2">--</span>
  const left = daysUntil(end) ?? 0
  if (left > licenceWarningDays) return <span className="zg-num">{end}</span>
  return (
    <Tag tone={left < 0 ? 'danger' : 'warning'} icon={false}>
      {daysLeft(end)}
    </Tag>
  )
}
