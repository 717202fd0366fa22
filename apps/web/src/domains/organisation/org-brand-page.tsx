import { type BrandField, brandFieldNames, brandsBelow, getBrand, saveBrandPolicy } from '@zhugong/contract/organisation/brand'
import { Button, Checkbox, Input } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { Card, Empty, ErrorPanel, Tag } from '#kit/feedback.tsx'
import { useGroupType } from '#kit/me.ts'
import { notify } from '#kit/notify.ts'
import { Pager } from '#kit/pager.tsx'
import { BrandSettings } from './brand-settings.tsx'
import './project-facts.css'

const fields = Object.keys(brandFieldNames) as BrandField[]

/** Brand of the group, and whether groups below may have their own. */
export default function OrgBrandPage() {
  const groupType = useGroupType()
  // A site has no groups below it.
  const leads = groupType !== undefined && brandsBelow.groupTypes?.includes(groupType)
  return (
    <BrandSettings
      below={
        <>
          <LoginLink />
          {leads && (
            <>
              <Locks />
              <Below />
            </>
          )}
        </>
      }
    />
  )
}

function LoginLink() {
  const { data } = useCall(getBrand, { query: {} }, { quiet: true })
  if (!data) return null
  const link = `${window.location.origin}/login?org=${encodeURIComponent(data.code)}`
  return (
    <Card
      title="登录链接"
      remark="打开即是本机构标识的登录页"
      actions={
        <Button
          onClick={() =>
            void navigator.clipboard.writeText(link).then(
              () => notify.success('链接已复制'),
              () => notify.warning('浏览器不允许复制，请手动选择'),
            )
          }
        >
          复制
        </Button>
      }
    >
      <code>{link}</code>
    </Card>
  )
}

/** Brand fields locked for groups below. Saved separately, because it immediately changes what others see. */
function Locks() {
  const { data } = useCall(getBrand, { query: {} }, { quiet: true })
  const act = useAct(saveBrandPolicy, { success: '已保存，下级刷新后生效' })
  const may = useCan(saveBrandPolicy)
  const [drafted, setDrafted] = useState<BrandField[]>()
  if (!data || data.type === 3) return null
  const current = data.policy.locked
  const locked = drafted ?? current
  const isSame = locked.length === current.length && locked.every((field) => current.includes(field))
  const has = (field: BrandField) => data.shown[field]?.own ?? false
  const save = async () => {
    const done = await act.afterRequesting(
      {
        thing: `锁定${locked.map((field) => brandFieldNames[field]).join('、') || '（无）'}`,
        consequence: '下级立即按本机构的显示；其自己的设置保留，解除锁定后恢复。',
        verb: '保存',
        keep: '取消',
      },
      { body: { locked, version: data.version } },
    )
    if (done) setDrafted(undefined)
  }
  return (
    <Card
      title="下级标识"
      remark="锁定的内容下级不能自定义"
      actions={
        may && (
          <Button type="primary" disabled={isSame} loading={act.running} onClick={() => void save()}>
            保存锁定
          </Button>
        )
      }
    >
      <Checkbox.Group
        disabled={!may}
        value={locked}
        options={fields.map((field) => ({
          value: field,
          label: has(field) ? brandFieldNames[field] : `${brandFieldNames[field]}（未设置）`,
          disabled: !has(field) && !locked.includes(field),
        }))}
        onChange={(next) => setDrafted(next as BrandField[])}
      />
    </Card>
  )
}

const size = 20

/** Groups below, which inherit this brand unless they have their own. */
function Below() {
  const [page, setPage] = useState(1)
  const [name, setName] = useState('')
  const read = useCall(brandsBelow, { query: { page, size, name: name || undefined } }, { quiet: true, keepPrevious: true })
  if (read.error) return <ErrorPanel error={read.error} retry={read.refetch} />
  return (
    <Card
      title="下级机构"
      remark={read.data && `${read.data.total} 个`}
      flush
      actions={
        <Input
          allowClear
          placeholder="搜索机构"
          aria-label="搜索机构"
          maxLength={50}
          className="fact-search"
          onChange={(event) => {
            setPage(1)
            setName(event.target.value.trim())
          }}
        />
      }
    >
      {read.data?.list.length === 0 ? (
        <Empty small text="没有下级机构" />
      ) : (
        <table className="fact-table">
          <thead>
            <tr>
              <th>机构</th>
              <th>标识</th>
              <th>显示</th>
              <th>自定义内容</th>
            </tr>
          </thead>
          <tbody>
            {(read.data?.list ?? []).map((one) => (
              <tr key={one.id}>
                <td>{one.name}</td>
                <td>
                  {one.own.length > 0 ? (
                    <Tag icon={false}>自定义</Tag>
                  ) : (
                    <Tag tone="running" icon={false}>
                      继承
                    </Tag>
                  )}
                </td>
                <td>
                  {one.logo && <img src={one.logo} alt="" height={20} />} {one.sysName}
                  {one.primaryColor && <Tag icon={false}>{one.primaryColor}</Tag>}
                </td>
                <td className="zg-2">{one.own.map((field) => brandFieldNames[field as BrandField]).join('、') || '--'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {read.data && read.data.total > size && (
        <Pager compact list={{ page, size, total: read.data.total, setPage, setSize: () => undefined }} />
      )}
    </Card>
  )
}
