import { createGovernment, getGovernment, pickGovernments, updateGovernment } from '@zhugong/contract/organisation/governments'
import { appointAdministrator, type GroupRow, getGroup, openCompany } from '@zhugong/contract/organisation/groups'
import { Input } from 'antd'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useAct, useCall } from '#kit/call.ts'
import { useDicts } from '#kit/dicts.ts'
import { EnableTag } from '#kit/enable.tsx'
import { Card, DetailSkeleton, ErrorPanel, Notice, Pairs, Tag } from '#kit/feedback.tsx'
import { FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { AreaInput, Choice } from '#kit/inputs.tsx'
import { PageDrawer } from '#kit/overlay.tsx'
import { hrefOf } from '#kit/page.tsx'
import { CorporationInput } from './corporation-input.tsx'

const { Field } = formOf(createGovernment, updateGovernment, openCompany, appointAdministrator)

/** Creates a government body, or changes one. */
export function GovernmentDrawer({ govCode, onClose }: { govCode: string | undefined; onClose: () => void }) {
  return govCode ? <ChangeGovernment govCode={govCode} onClose={onClose} /> : <NewGovernment onClose={onClose} />
}

function NewGovernment({ onClose }: { onClose: () => void }) {
  const act = useAct(createGovernment, { success: ({ govCode }) => `机构已新增，编码 ${govCode}` })
  return (
    <FormDrawer open act={act} title="新增监管机构" remark="新增后请指定管理员" initial={{ disciplines: [] }} onClose={onClose}>
      <GovernmentFields />
    </FormDrawer>
  )
}

function ChangeGovernment({ govCode, onClose }: { govCode: string; onClose: () => void }) {
  const read = useCall(getGovernment, { params: { govCode } }, { quiet: true, staleMs: 0 })
  const act = useAct(updateGovernment)
  if (!read.data || read.isFetching) {
    return (
      <PageDrawer open size={720} title="修改监管机构" onClose={onClose}>
        {read.error ? <ErrorPanel error={read.error} retry={read.refetch} /> : <DetailSkeleton />}
      </PageDrawer>
    )
  }
  const { linkPhone, ...rest } = read.data
  return (
    <FormDrawer
      open
      act={act}
      title="修改监管机构"
      remark={rest.name}
      initial={rest}
      input={(body) => ({ params: { govCode }, body: { ...body, linkPhone: body.linkPhone || undefined } })}
      onClose={onClose}
    >
      <GovernmentFields without={govCode} phoneHelp={linkPhone ? `现为 ${linkPhone}，不填不变` : undefined} />
    </FormDrawer>
  )
}

function GovernmentFields({ without, phoneHelp }: { without?: string; phoneHelp?: string | undefined }) {
  const dicts = useDicts('govType', 'govLevel')
  const bodies = useCall(pickGovernments, { query: {} }, { quiet: true })
  return (
    <>
      <Field name="name" label="机构名称" span="all">
        <Input />
      </Field>
      <Field name="type" label="机构类型">
        <Choice options={dicts.options('govType')} />
      </Field>
      <Field name="level" label="层级">
        <Choice options={dicts.options('govLevel')} />
      </Field>
      <Field name="areaCode" label="管辖区划">
        <AreaInput />
      </Field>
      <Field name="parentGovCode" label="上级机构" help="不选即为最上级">
        <Choice options={(bodies.data?.list ?? []).filter((g) => g.code !== without).map((g) => ({ value: g.code, label: g.name }))} />
      </Field>
      <Field name="creditCode" label="统一社会信用代码">
        <Input maxLength={22} />
      </Field>
      <Field name="linkMan" label="联系人">
        <Input />
      </Field>
      <Field name="linkPhone" label="联系电话" help={phoneHelp}>
        <Input inputMode="tel" />
      </Field>
      <Field name="address" label="地址">
        <Input />
      </Field>
    </>
  )
}

/** Gives a company of the library its own group with accounts. */
export function OpenCompanyDrawer({ onClose }: { onClose: () => void }) {
  const act = useAct(openCompany, { success: '企业已开通' })
  return (
    <FormDrawer open narrow width={440} act={act} title="开通企业" saveText="开通" onClose={onClose}>
      <Field name="corpCode" label="企业" help="库中还没有的企业，先新建企业档案">
        <CorporationInput />
      </Field>
      <Field name="sysName" label="系统名称" help="页头与登录页显示，不填用企业名称">
        <Input />
      </Field>
      <Field name="account" label="管理员账号" help="已有的完整账号，也可开通后再指定">
        <Input autoComplete="off" />
      </Field>
    </FormDrawer>
  )
}

/** Appoints an existing account as administrator of a group. */
export function AppointDrawer({ row, onClose }: { row: GroupRow; onClose: () => void }) {
  const act = useAct(appointAdministrator, {
    success: ({ name, pending }) => (pending ? `已邀请 ${name}，由其本人在“个人设置”接受后任职` : `${name} 已是 ${row.name} 的管理员`),
  })
  return (
    <FormDrawer
      open
      narrow
      width={420}
      act={act}
      title="指定管理员"
      remark={row.name}
      saveText="指定"
      initial={{ id: row.id }}
      input={(body) => ({ body: { ...body, id: row.id } })}
      onClose={onClose}
    >
      <Field
        name="account"
        label="账号"
        help={`须填写完整账号；${row.adminName ? `现有管理员 ${row.adminName} 不变` : '该机构还没有管理员'}`}
      >
        <Input autoComplete="off" />
      </Field>
    </FormDrawer>
  )
}

/** One group: brand, administrators, and what depends on it. */
export function GroupDrawer({ row, actions, onClose }: { row: GroupRow; actions: ReactNode; onClose: () => void }) {
  const read = useCall(getGroup, { params: { id: row.id } }, { quiet: true, enabled: row.type === 1 })
  const g = read.data
  return (
    <PageDrawer open size={560} title={row.name} onClose={onClose}>
      {!row.adminName && <Notice tone="warning">还没有管理员，机构内没有人能维护账号和角色</Notice>}
      <Card
        title={
          <span className="org-brand-title">
            <img src={g?.logo || '/logo.svg'} alt="" height="28" />
            {g?.sysName ?? row.name}
          </span>
        }
        actions={actions}
      >
        <Pairs
          items={[
            { label: '编码', value: row.code },
            { label: '状态', value: <EnableTag enable={row.enable} /> },
            { label: row.type === 1 ? '机构类型' : '业务类别', value: row.kindName },
            { label: '区划', value: row.areaName },
            ...(row.type === 1
              ? [
                  { label: '层级', value: row.levelName },
                  { label: '上级机构', value: row.parentName },
                ]
              : []),
            {
              label: row.type === 1 ? '监督项目' : '参与项目',
              value:
                row.type === 1 ? (
                  <Link to={hrefOf('/gov/project', { superviseOrg: row.code })}>{row.projectCount} 个</Link>
                ) : (
                  <Link to={hrefOf('/companySystem/info/extra', { corpCode: row.code })}>{row.projectCount} 个</Link>
                ),
            },
            { label: '账号', value: `${row.userCount} 个，在线 ${row.online}` },
            { label: '管理员', value: row.adminName ?? <Tag tone="warning">未指定</Tag> },
            { label: '最近到期', value: row.nearestDeadline ?? '长期' },
            { label: '最近登录', value: row.lastLogin ?? '从未登录' },
            { label: '开通时间', value: row.createTime },
          ]}
        />
      </Card>
      {read.error && <ErrorPanel error={read.error} retry={read.refetch} />}
    </PageDrawer>
  )
}
