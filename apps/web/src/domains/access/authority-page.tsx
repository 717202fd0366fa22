import { type DelegationRules, getDelegation, setDelegation } from '@zhugong/contract/access/group-roles'
import { longestTemporaryDays } from '@zhugong/contract/access/role-work'
import { Checkbox, Segmented, Switch } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { useAct, useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { Card, DetailSkeleton, Empty, ErrorPanel, Notice } from '#kit/feedback.tsx'
import { Choice, NumberInput } from '#kit/inputs.tsx'
import { usePage } from '#kit/page.tsx'
import { type Difference, differencesOf, SettingsPage } from '#kit/settings-shell.tsx'
import { useUnsaved } from '#kit/unsaved.ts'
import './access.css'

const labels = {
  defaultRoleId: '默认角色',
  makers: '谁可建角色',
  temporary: '允许临时角色',
  temporaryDays: '临时角色最长天数',
  defaultDays: '默认有效天数',
  secondFactor: '必须启用动态口令',
} as const
type Name = keyof typeof labels
const makers = [
  { value: 'holder', label: '有“维护角色”权限的人' },
  { value: 'administrator', label: '仅管理员' },
] as const
/** Rules that the platform may lock for all groups. */
const lockable = ['makers', 'temporary', 'temporaryDays', 'defaultDays', 'secondFactor'] as const

/** Rules by which members of this group may grant rights to others. */
export default function AuthorityPage() {
  const page = usePage()
  const { data, error, refetch } = useCall(getDelegation, {}, { quiet: true })
  const [drafted, setDrafted] = useState<DelegationRules>()
  const [fixed, setFixed] = useState<readonly Name[]>()
  const drop = () => {
    setDrafted(undefined)
    setFixed(undefined)
  }
  const save = useAct(setDelegation, { onDone: drop })
  const mayEdit = useCan(setDelegation)
  const rules = drafted ?? data?.own
  const roleName = (id: unknown) => data?.roles.find((one) => one.id === id)?.name ?? '无'
  const words = (value: unknown, key: Name): string => {
    if (key === 'defaultRoleId') return roleName(value)
    if (key === 'makers') return makers.find((one) => one.value === value)?.label ?? '无'
    if (key === 'defaultDays' && value === null) return '长期'
    if (key === 'secondFactor') return value ? '必须' : '自愿'
    return typeof value === 'boolean' ? (value ? '允许' : '不允许') : `${String(value)} 天`
  }
  const differences: Difference[] = [
    ...(data && rules ? differencesOf(data.own, rules, labels, words) : []),
    ...(fixed ? [{ label: '为下级锁定', before: '原设置', after: fixed.map((name) => labels[name]).join('、') || '不锁定' }] : []),
  ]
  useUnsaved(differences.length > 0, page.cacheKey, page.entry.title)
  if (error) return <ErrorPanel error={error} retry={refetch} />
  if (!data || !rules) return <DetailSkeleton />
  const change = (part: Partial<DelegationRules>) => setDrafted({ ...rules, ...part })
  const isFixed = (name: Name) => data.locked.includes(name)
  const row = (name: Name, control: React.ReactNode) => (
    <li>
      <div className="acc-row">
        <b className="acc-name">{labels[name]}</b>
        {control}
      </div>
      <span className="why">
        {isFixed(name)
          ? '已由平台锁定'
          : data.above
            ? `平台：${name === 'defaultRoleId' ? '各组自定' : words(data.above[name], name)}`
            : '本组为平台，对各组是上限'}
        ；现行：{words(data.inForce[name], name)}
      </span>
    </li>
  )
  return (
    <SettingsPage
      remark="本组的人按什么规则把权限给别人；只能比上级更严"
      last={{ by: data.updateBy, at: data.updateTime }}
      lock={mayEdit ? undefined : '没有设置授权规则的权限，此处只供查看'}
      differences={differences}
      fault={Object.values(save.fieldErrors).join('；') || undefined}
      saving={save.running}
      onSave={() => save.run({ body: { ...rules, locked: [...(fixed ?? [])], version: data.version } })}
      onUndo={drop}
    >
      {data.administrators.length < 2 && (
        <Notice tone="warning">
          本组{data.administrators.length === 0 ? '没有' : '只有一位'}管理员：请另指定一位备用，以免无人能维护账号
        </Notice>
      )}
      {data.violations.length > 0 && (
        <Notice tone="danger">
          现有 {data.violations.length} 项不符合规则：
          {data.violations.map((one) => `${one.what}（${one.detail}）`).join('；')}
        </Notice>
      )}
      <Card title="授权规则">
        <ul className="acc-list">
          {row(
            'defaultRoleId',
            <div className="acc-pick">
              <Choice
                aria-label={labels.defaultRoleId}
                value={rules.defaultRoleId ?? undefined}
                options={data.roles.map((one) => ({ value: one.id, label: one.name }))}
                onChange={(next) => change({ defaultRoleId: next ?? null })}
              />
            </div>,
          )}
          {row(
            'makers',
            <Segmented
              aria-label={labels.makers}
              disabled={isFixed('makers')}
              value={rules.makers}
              options={[...makers]}
              onChange={(next) => change({ makers: next })}
            />,
          )}
          {row(
            'temporary',
            <Switch
              aria-label={labels.temporary}
              disabled={isFixed('temporary')}
              checked={rules.temporary}
              onChange={(on) => change({ temporary: on })}
            />,
          )}
          {row(
            'temporaryDays',
            <div className="acc-name">
              <NumberInput
                aria-label={labels.temporaryDays}
                unit="天"
                min={1}
                max={data.above?.temporaryDays ?? longestTemporaryDays}
                disabled={isFixed('temporaryDays')}
                value={rules.temporaryDays}
                onChange={(next) => change({ temporaryDays: next ?? 1 })}
              />
            </div>,
          )}
          {row(
            'defaultDays',
            <div className="acc-name">
              <NumberInput
                aria-label={labels.defaultDays}
                unit="天"
                min={1}
                disabled={isFixed('defaultDays')}
                value={rules.defaultDays ?? undefined}
                onChange={(next) => change({ defaultDays: next ?? null })}
              />
            </div>,
          )}
          {row(
            'secondFactor',
            <Switch
              aria-label={labels.secondFactor}
              disabled={isFixed('secondFactor')}
              checked={rules.secondFactor}
              onChange={(on) => change({ secondFactor: on })}
            />,
          )}
        </ul>
      </Card>
      {data.mayLock && (
        <Card title="为下级锁定" remark="锁定的规则各组不能自行改动">
          <Checkbox.Group
            value={[...(fixed ?? [])]}
            options={lockable.map((name) => ({ value: name, label: labels[name] }))}
            onChange={(next) => setFixed(lockable.filter((name) => next.includes(name)))}
          />
        </Card>
      )}
      <Card title="管理员" remark={`${data.administrators.length} 位`} actions={<Link to="/administratorList">管理员列表</Link>}>
        {data.administrators.length === 0 && <Empty small text="没有管理员" hint="由上级在管理员列表中指定" />}
        <ul className="acc-list">
          {data.administrators.map((one) => (
            <li key={one.memberId}>
              {one.name}
              <span className="why">
                {one.deadline ? `至 ${one.deadline}` : '长期'}；最近登录 {one.lastLogin ?? '从未'}
              </span>
            </li>
          ))}
        </ul>
      </Card>
    </SettingsPage>
  )
}
