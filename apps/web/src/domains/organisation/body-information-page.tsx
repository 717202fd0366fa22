import { getGovernment, pickGovernments, updateGovernment } from '@zhugong/contract/organisation/governments'
import type { GovernmentRow } from '@zhugong/contract/organisation/model'
import { getSettingsHead } from '@zhugong/contract/settings/parents'
import { Input } from 'antd'
import { useAct, useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { useDicts } from '#kit/dicts.ts'
import { Card, DetailSkeleton, ErrorPanel, Pairs } from '#kit/feedback.tsx'
import { FieldGroup } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { AreaInput, Choice, Choices } from '#kit/inputs.tsx'
import { useGroupType, useMe } from '#kit/me.ts'
import { usePageParam } from '#kit/page.tsx'
import { differencesOf, SettingsForm } from '#kit/settings-shell.tsx'

const { Field } = formOf(updateGovernment)

const labels = {
  name: '机构名称',
  type: '机构类型',
  level: '层级',
  areaCode: '管辖区划',
  parentGovCode: '上级机构',
  creditCode: '统一社会信用代码',
  disciplines: '监管专业',
  linkMan: '联系人',
  linkPhone: '联系电话',
  address: '地址',
} as const

/** Facts of a government body. Its position in the hierarchy is set by the body above. */
export default function BodyInformationPage() {
  const requested = usePageParam('govCode')
  // The code of the user's own body comes only with the settings head.
  const own = useCall(
    getSettingsHead,
    { query: { kind: 'government' } },
    { quiet: true, enabled: !requested, select: (data) => data.head?.code },
  )
  const govCode = requested || own.data || ''
  const read = useCall(getGovernment, { params: { govCode } }, { quiet: true, staleMs: 0, enabled: govCode !== '' })
  if (read.error) return <ErrorPanel error={read.error} retry={read.refetch} />
  if (!read.data) return <DetailSkeleton />
  return <BodyForm key={read.data.version} gov={read.data} isOwn={!requested || requested === own.data} />
}

function BodyForm({ gov, isOwn }: { gov: GovernmentRow; isOwn: boolean }) {
  const act = useAct(updateGovernment, { success: '已保存' })
  const may = useCan(updateGovernment)
  const isPlatform = useGroupType() === 0
  const groupName = useMe((me) => me.info?.groupName)
  const dicts = useDicts('govType', 'govLevel', 'checkDiscipline')
  const governments = useCall(pickGovernments, { query: {} }, { quiet: true })
  const options = (governments.data?.list ?? [])
    .filter((one) => one.code !== gov.govCode)
    .map((one) => ({ value: one.code, label: one.name }))
  const current = isOwn && !isPlatform && gov.name === groupName
  const { linkPhone: masked, ...initial } = gov
  const words = (value: unknown, key: string): string =>
    key === 'type'
      ? dicts.name('govType', value as string)
      : key === 'level'
        ? dicts.name('govLevel', value as string)
        : key === 'parentGovCode'
          ? (options.find((one) => one.value === value)?.label ?? gov.parentName ?? '无')
          : Array.isArray(value)
            ? value.map((one) => dicts.name('checkDiscipline', String(one))).join('、') || '无'
            : value === null || value === undefined || value === ''
              ? '无'
              : String(value)
  const above = current ? '由上级机构或平台修改' : undefined
  return (
    <SettingsForm
      act={act}
      title="机构信息"
      initial={initial}
      input={(body) => ({ params: { govCode: gov.govCode }, body: { ...body, version: gov.version } })}
      last={undefined}
      lock={may ? undefined : '没有修改机构资料的权限，此处只供查看'}
      differences={(values) =>
        differencesOf({ ...initial, linkPhone: undefined }, { ...initial, linkPhone: undefined, ...values }, labels, words)
      }
      aside={
        <Card title="概况">
          <Pairs
            items={[
              { label: '机构编码', value: gov.govCode, wide: true },
              { label: '管辖项目', value: `${gov.reachCount} 个，其中本机构直接监督 ${gov.projectCount} 个`, wide: true },
              { label: '账号', value: `${gov.userCount} 个`, wide: true },
              { label: '管理员', value: gov.adminName, wide: true },
              { label: '最近登录', value: gov.lastLogin, wide: true },
            ]}
          />
        </Card>
      }
    >
      <FieldGroup title="机构">
        <Field name="name" label="机构名称">
          <Input />
        </Field>
        <Field name="creditCode" label="统一社会信用代码" help="机关以 11 开头">
          <Input />
        </Field>
        <Field name="disciplines" label="监管专业">
          <Choices options={dicts.options('checkDiscipline')} />
        </Field>
      </FieldGroup>
      <FieldGroup title="管辖" remark={above ?? '改变后该机构能看到的项目随之变化'}>
        <Field name="type" label="机构类型">
          <Choice clear={false} options={dicts.options('govType')} disabled={current} />
        </Field>
        <Field name="level" label="层级">
          <Choice clear={false} options={dicts.options('govLevel')} disabled={current} />
        </Field>
        <Field name="areaCode" label="管辖区划">
          <AreaInput disabled={current} />
        </Field>
        <Field name="parentGovCode" label="上级机构">
          <Choice options={options} disabled={current} />
        </Field>
      </FieldGroup>
      <FieldGroup title="联系">
        <Field name="linkMan" label="联系人">
          <Input />
        </Field>
        <Field name="linkPhone" label="联系电话" help={masked ? `现为 ${masked}，不填则不变` : undefined} required={!masked}>
          <Input />
        </Field>
        <Field name="address" label="地址" span="all">
          <Input />
        </Field>
      </FieldGroup>
    </SettingsForm>
  )
}
