import type { RangeRule } from '@zhugong/contract/apps/grant-endpoints'
import type { RangePerson } from '@zhugong/contract/apps/range-endpoints'
import { inRange } from '@zhugong/contract/apps/ranges'
import { Button, Input, Segmented } from 'antd'
import { useState } from 'react'
import { Card, DetailSkeleton, Empty, ErrorPanel, Known, Notice, Tag } from '#kit/feedback.tsx'
import { day } from '#kit/format.ts'
import { Choices } from '#kit/inputs.tsx'
import { useMe } from '#kit/me.ts'
import { PageDrawer } from '#kit/overlay.tsx'
import { usePage } from '#kit/page.tsx'
import { type Difference, SettingsPage } from '#kit/settings-shell.tsx'
import { useUnsaved } from '#kit/unsaved.ts'
import { AppName, Ending } from './parts.tsx'
import { ruleOf, sameRule, useRanges } from './use-ranges.ts'

/** A person with access is idle after this many days without use. */
const idleDays = 90
const wordsOf = (rule: RangeRule, people: readonly RangePerson[]): string => {
  if (rule.mode === 'all') return rule.exceptIds.length > 0 ? `全员，除 ${rule.exceptIds.length} 人` : '全员'
  const n = people.filter((one) => inRange(rule, one, day(Date.now()))).length
  return `指定，共 ${n} 人`
}

/** Who in the company may use which app, by department, post, role or name. What they may do in it is decided by their roles. */
export default function CompanyRangePage() {
  const page = usePage()
  const groupId = useMe((me) => me.info?.groupId) ?? ''
  const [chosen, setChosen] = useState<string>()
  const ranges = useRanges(groupId, chosen)
  const [draft, setDraft] = useState<RangeRule>()
  const [copying, setCopying] = useState(false)
  useUnsaved(draft !== undefined, page.cacheKey, page.entry.title)
  if (ranges.error) return <ErrorPanel error={ranges.error} retry={ranges.retry} />
  if (ranges.loading || !ranges.people) return <DetailSkeleton />
  const { list, people } = ranges
  const grant = list.find((one) => one.appId === chosen) ?? list[0]
  if (!grant) return <Empty text="还没有需要授权的应用" hint="平台授权或上级下发后在这里安排谁能用" />
  if (chosen === undefined) queueMicrotask(() => setChosen(grant.appId))
  const current = ruleOf(grant)
  const rule = draft ?? current
  const change = (part: Partial<RangeRule>) => {
    const next = { ...rule, ...part }
    setDraft(sameRule(next, current) ? undefined : next)
  }
  const differences: Difference[] = draft
    ? [{ label: grant.appName, before: wordsOf(current, people.people), after: wordsOf(draft, people.people) }]
    : []
  const save = async () => {
    if (await ranges.save(grant, rule)) setDraft(undefined)
  }
  return (
    <SettingsPage
      remark="范围说谁有这个应用，角色说他在里面能做什么，两者都要有；下发给项目在“应用授权设置”"
      last={undefined}
      lock={undefined}
      differences={differences}
      fault={
        draft?.mode === 'some' && people.people.every((one) => !inRange(rule, one, day(Date.now())))
          ? '没有人在范围内，应用将无人可用'
          : undefined
      }
      saving={ranges.saving}
      onSave={save}
      onUndo={() => setDraft(undefined)}
      actions={<Button onClick={() => setCopying(true)}>把范围用到其他应用</Button>}
    >
      <div className="apps-columns two">
        <Card title="应用" remark={`${list.length} 个`} flush>
          <ul className="apps-list">
            {list.map((one) => (
              <li key={one.id} className={one.id === grant.id ? 'on' : ''}>
                <button
                  type="button"
                  className="zg-bare grow"
                  disabled={draft !== undefined && one.id !== grant.id}
                  title={draft && one.id !== grant.id ? '先保存或撤销修改' : undefined}
                  onClick={() => setChosen(one.appId)}
                >
                  <AppName icon={one.appIcon} name={one.appName}>
                    {wordsOf(ruleOf(one), people.people)} · <Ending deadline={one.deadline} leftTime={one.leftTime} />
                  </AppName>
                </button>
              </li>
            ))}
          </ul>
        </Card>
        <div>
          <RuleEditor rule={rule} people={people} change={change} />
          <Known of={ranges.holders}>
            <Result rule={rule} people={people.people} />
          </Known>
        </div>
      </div>
      {copying && <CopyDrawer rule={rule} from={grant.appName} ranges={ranges} without={grant.id} onClose={() => setCopying(false)} />}
    </SettingsPage>
  )
}

interface People {
  people: RangePerson[]
  orgs: { id: string; name: string; parentId: string | null }[]
  roles: { id: string; name: string }[]
  posts: string[]
}
function RuleEditor({ rule, people, change }: { rule: RangeRule; people: People; change: (part: Partial<RangeRule>) => void }) {
  const users = people.people.map((one) => ({ value: one.userId, label: `${one.name}（${one.account}）` }))
  const rows = [
    { key: 'orgIds', label: '部门（含下级）', options: people.orgs.map((one) => ({ value: one.id, label: one.name })) },
    { key: 'posts', label: '岗位', options: people.posts.map((post) => ({ value: post, label: post })) },
    { key: 'roleIds', label: '角色', options: people.roles.map((one) => ({ value: one.id, label: one.name })) },
    { key: 'userIds', label: '指定人员', options: users },
  ] as const
  return (
    <Card
      title="谁有这个应用"
      actions={
        <Segmented
          aria-label="范围"
          value={rule.mode}
          options={[
            { value: 'all', label: '全员' },
            { value: 'some', label: '指定' },
          ]}
          onChange={(mode) => change({ mode: mode as RangeRule['mode'] })}
        />
      }
    >
      {rule.mode === 'some' &&
        rows.map(({ key, label, options }) => (
          <div key={key} className="apps-bar">
            <span className="apps-field">{label}</span>
            <div className="apps-grow">
              <Choices aria-label={label} value={rule[key]} options={options} onChange={(next) => change({ [key]: next ?? [] })} />
            </div>
          </div>
        ))}
      <div className="apps-bar">
        <span className="apps-field">除外人员</span>
        <div className="apps-grow">
          <Choices aria-label="除外人员" value={rule.exceptIds} options={users} onChange={(next) => change({ exceptIds: next ?? [] })} />
        </div>
      </div>
    </Card>
  )
}

/** People the range includes; a search shows what a person lacks: inclusion in the range, or a role. */
function Result({ rule, people }: { rule: RangeRule; people: readonly RangePerson[] }) {
  const [word, setWord] = useState('')
  const [idle, setIdle] = useState(false)
  const today = day(Date.now())
  const rows = people.map((one) => ({ ...one, inside: inRange(rule, one, today) }))
  const isIdle = (one: (typeof rows)[number]) =>
    one.inside && one.holds && (one.lastUsed === null || Date.parse(one.lastUsed) < Date.parse(today) - idleDays * 86_400_000)
  const shown = rows.filter((one) => (word ? `${one.name}${one.account}`.includes(word) : one.inside)).filter((one) => !idle || isIdle(one))
  const idlers = rows.filter(isIdle).length
  return (
    <Card
      title="结果"
      remark={`${rows.filter((one) => one.inside).length} 人在范围内，其中 ${rows.filter((one) => one.inside && one.holds).length} 人的角色有相应权限`}
      flush
      actions={
        <>
          <Button size="small" type={idle ? 'primary' : 'default'} onClick={() => setIdle(!idle)}>
            有权限但 {idleDays} 天未使用 {idlers}
          </Button>
          <div className="apps-field">
            <Input
              allowClear
              size="small"
              maxLength={20}
              placeholder="查某人缺什么"
              aria-label="查某人缺什么"
              onChange={(event) => setWord(event.target.value.trim())}
            />
          </div>
        </>
      }
    >
      {shown.length === 0 ? (
        <Empty small text="没有人" />
      ) : (
        <table className="apps-table">
          <thead>
            <tr>
              <th>姓名</th>
              <th>部门与岗位</th>
              <th>角色</th>
              <th>能否使用</th>
              <th>最近使用</th>
            </tr>
          </thead>
          <tbody>
            {shown.slice(0, 200).map((one) => (
              <tr key={one.userId}>
                <td>
                  {one.name} <span className="zg-2">{one.account}</span>
                </td>
                <td>{[...one.orgNames, ...one.posts].join('、') || '--'}</td>
                <td>{one.roleNames.join('、') || '--'}</td>
                <td>
                  {one.inside && one.holds ? (
                    <Tag tone="fine">能</Tag>
                  ) : (
                    <Tag tone="warning">{!one.inside && !one.holds ? '缺范围和角色' : one.inside ? '缺角色' : '不在范围'}</Tag>
                  )}
                </td>
                <td>{one.lastUsed ?? '从未'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Card>
  )
}

function CopyDrawer({
  rule,
  from,
  ranges,
  without,
  onClose,
}: {
  rule: RangeRule
  from: string
  ranges: ReturnType<typeof useRanges>
  without: string
  onClose: () => void
}) {
  const [ids, setIds] = useState<string[]>([])
  const others = ranges.list.filter((one) => one.id !== without)
  const copy = async () => {
    for (const grant of others.filter((one) => ids.includes(one.id))) if (!(await ranges.save(grant, rule))) return
    onClose()
  }
  return (
    <PageDrawer
      open
      size={480}
      title={`把“${from}”的范围用到`}
      onClose={onClose}
      footer={
        <Button type="primary" disabled={ids.length === 0} loading={ranges.saving} onClick={() => void copy()}>
          用到 {ids.length} 个应用
        </Button>
      }
    >
      <Notice tone="info">所选应用原来的范围被替换。</Notice>
      <Choices
        aria-label="应用"
        placeholder="选择应用"
        value={ids}
        options={others.map((one) => ({ value: one.id, label: one.appName }))}
        onChange={(next) => setIds(next ?? [])}
      />
    </PageDrawer>
  )
}
